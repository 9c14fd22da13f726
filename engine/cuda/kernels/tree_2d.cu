/*
 * tree_2d.cu - trees of boxes: a kernel that launches its children from the device. The boxes are the strategy's own
 * td_tree, the same that the cpu engine walks.
 *
 * Compiled with relocatable device code, which only this file and tree_3d.cu need.
 */
#include "strategies/tree.h"
#include "workloads/workloads.h"
#include "kernels.cuh"
#include "engine/cuda/tree.h"

/*
 * One node: its box, and from one thread its children. They need nothing of this kernel, so they are fired and
 * forgotten: the parent counts as done when they are.
 */
template <td_block_map_fn *Map, td_cell_fn *Cell>
__global__ void td_tree_kernel(const td_launch launch, const td_data data, const td_node node,
                               const uint32_t leaf)
{
    const uint32_t split = td_tree_split(node, leaf);
    const bool first_thread = (blockIdx.x | blockIdx.y | threadIdx.x | threadIdx.y) == 0;
    if (split > 0 && first_thread) {
        for (uint32_t c = 0; c < td_tree_of<Map>.children; c++) {
            const td_node child = td_tree_of<Map>.child(node, split, c);
            const td_launch box = td_tree_of<Map>.box(launch, child, td_tree_split(child, leaf));
            const dim3 grid(box.grid.x, box.grid.y);
            const dim3 block(launch.block.x, launch.block.y);
            td_tree_kernel<Map, Cell>
                <<<grid, block, 0, cudaStreamFireAndForget>>>(box, data, child, leaf);
        }
    }
    const td_tile tile = Map(&launch, td_block_index<false>(launch));
    if (tile.active) {
        td_loop_tile<Cell>(launch, data, tile);
    }
}

#define KERNEL(w, name, map) (const void *)td_tree_kernel<map, td_##w##_cell>,
#define ROW(s, ...) {TD_STRATEGY_##s, {TD_WORKLOADS_2D(KERNEL, td_##s##_map)}},
static const struct {
    uint32_t strategy;
    const void *kernels[TD_WORKLOAD_COUNT];
} trees[] = {TD_TREES(ROW, )};

const void *td_tree_2d_kernel(uint32_t strategy_id, uint32_t workload_id)
{
    for (const auto &tree : trees) {
        if (tree.strategy == strategy_id) {
            return tree.kernels[workload_id];
        }
    }
    return NULL;
}
