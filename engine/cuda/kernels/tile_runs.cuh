/*
 * tile_runs.cuh - the functions that 2D whole-tile kernels run: a workload's own function under a map chosen at run
 * time.
 *
 * Most tiles take thousands of instructions, so that their kernel can afford to choose the map at run time: one kernel
 * per workload instead of ten, which would take half of the build time.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_TILE_RUNS_CUH
#define TD_ENGINE_CUDA_KERNELS_TILE_RUNS_CUH

#include "kernels.cuh"

/* A block that runs several tiles synchronises its threads between them: the tiles use the same shared memory. */
typedef void td_tile_fn(const td_data &data, td_work_tile tile);

/* Apply the map of a strategy, which is the same for all threads of a grid. TD_WHOLE_SQUARE is not a strategy. */
__device__ inline td_tile td_map_from_origin(uint32_t strategy, const td_launch &launch,
                                             td_dim3 block)
{
    switch (strategy) {
#define CASE(s, A)                                                                                 \
    case TD_STRATEGY_##s:                                                                          \
        return td_##s##_map(&launch, block);
        TD_BLOCK_MAPS(CASE, )
#undef CASE
    default:
        return td_whole_square_map(&launch, block);
    }
}

/* The same for a part of a domain, whose tile (0, 0) is further down and to the right. */
__device__ inline td_tile td_map_with(uint32_t strategy, const td_launch &launch, td_dim3 block)
{
    td_tile tile = td_map_from_origin(strategy, launch, block);
    tile.x += launch.origin_x;
    tile.y += launch.origin_y;
    return tile;
}

/* One block per tile. */
template <td_tile_fn *Tile>
struct td_grid_of {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t strategy)
    {
        const td_tile tile = td_map_with(strategy, launch, td_block_index<true>(launch));
        if (tile.active) { /* the same for all threads of a block, so a tile may synchronise them */
            Tile(data, {tile.x, tile.y, launch.tile});
        }
    }
};

/* One block per flat tile of the whole square. */
template <td_tile_fn *Tile>
struct td_flat_of {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t)
    {
        const td_tile tile = td_whole_square_map(&launch, td_block_index<true>(launch));
        Tile(data, {tile.x, tile.y, launch.tile, false, launch.width});
    }
};

/* Each block loops over tiles. These kernels are separate because the loop's registers would cost the kernels with one
 * block per tile the last one that they have. */
template <td_tile_fn *Tile>
struct td_persistent {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t strategy)
    {
        const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
        for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
            const td_tile tile = td_map_with(strategy, launch, td_block_at(launch, b, blocks));
            if (tile.active) {
                Tile(data, {tile.x, tile.y, launch.tile, b != blockIdx.x});
                __syncthreads(); /* the tile's shared memory is free again */
            }
        }
    }
};

#endif
