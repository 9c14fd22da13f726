/* tree.h - the kernels of tree strategies, which launch kernels. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * td_tree_2d_kernel - the kernel of a 2D tree with a workload, or with a row of an automaton's table: (td_launch,
 * td_data, td_node, uint32_t leaf [tiles]).
 *
 * Shape   the grid is the box of the root
 */
const void *td_tree_2d_kernel(uint32_t strategy, uint32_t workload, uint32_t row);

/* How the kernels of a 3D tree cover the cells of a box. */
typedef enum td_tree_kind {
    TD_TREE_CELL,         /* one cell per thread */
    TD_TREE_LOOP,         /* tiles larger than the block */
    TD_TREE_EIGHT_PACKED, /* one cell per thread, blocks of 8 x 8 x 8 */
    TD_TREE_EIGHT_FULL,
    TD_TREE_KINDS
} td_tree_kind;

/*
 * td_tree_3d_kernel - the same of a 3D tree.
 *
 * Shape   the root is one block: one warp for its box and one per child
 */
const void *td_tree_3d_kernel(uint32_t strategy, uint32_t workload, uint32_t row,
                              td_tree_kind kind);

#ifdef __cplusplus
}
#endif
