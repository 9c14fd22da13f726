/*
 * chosen_map.cuh - the map of blocks, chosen while a kernel runs: one kernel per workload in place of ten, where what a
 * block does is long enough not to notice. Ten would take half of the build.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_CHOSEN_MAP_CUH
#define TD_ENGINE_CUDA_KERNELS_CHOSEN_MAP_CUH

#include "engine/cuda/kernel_table.h"
#include "kernels.cuh"

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

#endif
