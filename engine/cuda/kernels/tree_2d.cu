/*
 * tree_2d.cu - dp: a kernel that launches its children from the device. The boxes are those of strategies/dp.h, the
 * same that the cpu engine walks.
 *
 * Compiled with relocatable device code, which only this file and tree_3d.cu need.
 */
#include "strategies/dp.h"
#include "workloads/workloads.h"
#include "kernels.cuh"
#include "engine/cuda/tree.h"

/*
 * One node: its box, and from one thread its two children. They need nothing of this kernel, so they are fired and
 * forgotten: the parent counts as done when they are.
 */
template <td_cell_fn *Cell>
__global__ void td_tree_kernel(const td_launch launch, const td_data data, const td_dp_node node,
                               const uint32_t leaf)
{
    const uint32_t split = td_dp_split(node, leaf);
    const bool first_thread = (blockIdx.x | blockIdx.y | threadIdx.x | threadIdx.y) == 0;
    if (split > 0 && first_thread) {
        const td_dp_node children[2] = {{node.origin, split},
                                        {node.origin + split, node.n - split}};
        for (int i = 0; i < 2; i++) {
            const td_launch child = td_dp_box(launch, children[i], td_dp_split(children[i], leaf));
            const dim3 grid(child.grid.x, child.grid.y);
            const dim3 block(launch.block.x, launch.block.y);
            td_tree_kernel<Cell>
                <<<grid, block, 0, cudaStreamFireAndForget>>>(child, data, children[i], leaf);
        }
    }
    const td_tile tile = td_dp_map(&launch, td_block_index<false>(launch));
    if (tile.active) {
        td_loop_tile<Cell>(launch, data, tile);
    }
}

#define KERNEL(w, name, A) (const void *)td_tree_kernel<td_##w##_cell>,
static const void *const kernels[] = {TD_WORKLOADS_2D(KERNEL, )};

const void *td_tree_2d_kernel(uint32_t workload_id)
{
    return kernels[workload_id];
}
