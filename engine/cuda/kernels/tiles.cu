/* tiles.cu - the workloads' own kernels for whole tiles, a block for each tile. */
#include "whole_tiles.cuh"

template <td_tile_fn *Tile>
struct td_grid_of {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t strategy)
    {
        const td_tile tile = td_map_with(strategy, launch, td_block_index<true>(launch));
        if (tile.active) { /* the same for all threads of a block: a tile may synchronise them */
            Tile(data, {tile.x, tile.y, launch.tile});
        }
    }
};

const void *td_grid_tiles(uint32_t workload, uint32_t row)
{
    return td_tile_kernel_with<td_grid_of>(workload, row);
}
