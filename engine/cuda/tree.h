/* tree.h - the kernels that launch kernels. */
#ifndef TD_ENGINE_CUDA_TREE_H
#define TD_ENGINE_CUDA_TREE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of `dp` for a 2D workload: (td_launch, td_data, td_dp_node, uint32_t leaf [tiles]). */
const void *td_tree_2d_kernel(uint32_t workload_id);

/* Of the root and its children: a warp for the box and one for each child. */
enum { TD_TREE_3D_THREADS = 4 * 32 };

/* How the boxes of a 3D tree are walked. */
typedef enum td_tree_kind {
    TD_TREE_CELL,         /* one cell a thread */
    TD_TREE_LOOP,         /* tiles larger than the block */
    TD_TREE_EIGHT_PACKED, /* one cell a thread, blocks of 8 x 8 x 8 */
    TD_TREE_EIGHT_FULL,
    TD_TREE_KINDS
} td_tree_kind;

/* Of `dp-tetra` for a 3D workload: the same arguments with a td_tetra_node; one block of TD_TREE_3D_THREADS. */
const void *td_tree_3d_kernel(uint32_t workload_id, td_tree_kind kind);

#ifdef __cplusplus
}
#endif

#endif
