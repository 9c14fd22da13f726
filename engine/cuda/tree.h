/* tree.h - the kernels that launch kernels. */
#ifndef TD_TREE_H
#define TD_TREE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of `dp` for a 2D workload: (td_launch, td_data, td_dp_node, uint32_t leaf [tiles]). */
const void *td_tree_2d_kernel(uint32_t workload_id);

#ifdef __cplusplus
}
#endif

#endif
