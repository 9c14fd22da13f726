/*
 * persistent_tiles.cu - the workloads' own kernels for whole tiles, each block looping over tiles. Kernels apart from
 * those of tiles.cu: what a loop keeps in registers would cost these the last one that they have.
 */
#include "whole_tiles.cuh"

template <td_tile_fn *Tile>
struct td_persistent {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t strategy)
    {
        const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
        for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
            const td_tile tile = td_map_with(strategy, launch, td_block_at(launch, b, blocks));
            if (tile.active) {
                Tile(data, {tile.x, tile.y, launch.tile, b != blockIdx.x});
                __syncthreads(); /* what the tile has in shared memory is free again */
            }
        }
    }
};

const void *td_persistent_tiles(uint32_t workload, uint32_t row)
{
    return td_tile_kernel_with<td_persistent>(workload, row);
}
