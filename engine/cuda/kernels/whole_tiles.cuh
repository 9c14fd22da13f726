/*
 * whole_tiles.cuh - what the two files of kernels for whole tiles share: the map, chosen while the kernel runs, and the
 * list of kernels.
 *
 * Most tiles are the work of thousands of instructions, so that their kernel can afford to choose the map while it
 * runs: one kernel per workload in place of ten, which would take half of the build.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH
#define TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH

#include "bounded.cuh"
#include "engine/cuda/kernel_table.h"
#include "workloads/tiles.cuh"
#include "workloads/workloads.h"

typedef void td_tile_fn(const td_data &data, td_work_tile tile);

/* The same for all threads of a grid. TD_WHOLE_SQUARE is no strategy. */
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

/* Of a part of a domain (0, 0) is further down, and to the right. */
__device__ inline td_tile td_map_with(uint32_t strategy, const td_launch &launch, td_dim3 block)
{
    td_tile tile = td_map_from_origin(strategy, launch, block);
    tile.x += launch.origin_x;
    tile.y += launch.origin_y;
    return tile;
}

/* Every kernel for tiles: X(workload, A). */
#define TD_WHOLE_TILE_KERNELS_2D(X, A) TD_TILED_2D(X, A) TD_ALSO_TILED_2D(X, A)

#endif
