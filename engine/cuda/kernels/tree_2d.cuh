/*
 * tree_2d.cuh - trees of boxes: a kernel that launches its children from the device. The boxes come from the strategy's
 * own td_tree, which the cpu engine runs as well.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_TREE_2D_CUH
#define TD_ENGINE_CUDA_KERNELS_TREE_2D_CUH

#include "kernels.cuh"
#include "strategies/tree.h"

/*
 * One node: all threads compute its box, and one thread launches its children. The children need nothing from this
 * kernel, so they are launched fire-and-forget: the parent counts as done when they are. Unroll: cells that a thread
 * computes at a time. Registers: a limit, because the thread that launches children would take more than all others
 * need, and fewer blocks would be resident.
 */
template <td_block_map_fn *Map, td_cell_fn *Cell, int Unroll, int Registers>
__global__ void __maxnreg__(Registers) td_tree_kernel(const td_launch launch, const td_data data,
                                                      const td_node node, const uint32_t leaf)
{
    const uint32_t split = td_tree_split(node, leaf);
    const bool first_thread = (blockIdx.x | blockIdx.y | threadIdx.x | threadIdx.y) == 0;
    if (split > 0 && first_thread) {
        for (uint32_t c = 0; c < td_tree_of<Map>.children; c++) {
            const td_node child = td_tree_of<Map>.child(node, split, c);
            const td_launch box = td_tree_of<Map>.box(launch, child, td_tree_split(child, leaf));
            const dim3 grid(box.grid.x, box.grid.y);
            const dim3 block(launch.block.x, launch.block.y);
            TD_FIRE((td_tree_kernel<Map, Cell, Unroll, Registers>), grid, block)
            (box, data, child, leaf);
        }
    }
    const td_tile tile = Map(&launch, td_block_index<false>(launch));
    if (!tile.active) {
        return;
    }
    if (blockDim.x == launch.tile && blockDim.y == launch.tile) { /* no division for the cell */
        const uint32_t row = tile.y * launch.tile + threadIdx.y;
        const uint32_t col = tile.x * launch.tile + threadIdx.x;
        if (col <= row && row < data.n) {
            Cell(&data, row, col);
        }
    } else {
        td_loop_tile<Cell, Unroll>(launch, data, tile);
    }
}

#endif
