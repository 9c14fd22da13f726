/* tiles.cu - the workloads' own kernels for whole tiles, a block for each tile. */
#include "whole_tiles.cuh"

template <td_tile_fn *Tile>
__device__ inline void td_run_tile(const td_launch &launch, const td_data &data, uint32_t strategy)
{
    const td_tile tile = td_map_with(strategy, launch, td_block_index<true>(launch));
    if (tile.active) { /* the same for all threads of a block: a tile may synchronise them */
        Tile(data, {tile.x, tile.y, launch.tile});
    }
}

#define KERNEL(w, ...) TD_KERNEL_NAMED(td_tiles, td_run_tile, w)
TD_WHOLE_TILE_KERNELS_2D(KERNEL, )
