/*
 * whole_tiles.cuh - what the two files of kernels for whole tiles share: the map, chosen while the kernel runs, and the
 * list of kernels.
 *
 * Most tiles are the work of thousands of instructions, so that their kernel can afford to choose the map while it
 * runs: one kernel per workload in place of ten, which would take half of the build.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH
#define TD_ENGINE_CUDA_KERNELS_WHOLE_TILES_CUH

#include "engine/cuda/kernel_table.h"
#include "kernels.cuh"
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

/*
 * Every kernel for tiles: FREE(workload, stem, A) in as many registers as it takes, BOUNDED(workload, registers, A) in
 * so many that the blocks that are to be resident are.
 */
#define TD_KERNEL_OF_32(w, stem, BOUNDED) BOUNDED(w, 32, )
#define TD_KERNEL_OF_64(w, stem, BOUNDED) BOUNDED(w, 64, )
#define TD_KERNEL_OF_80(w, stem, BOUNDED) BOUNDED(w, 80, )
#define TD_KERNEL_OF_96(w, stem, BOUNDED) BOUNDED(w, 96, )
#define TD_KERNEL_OF_128(w, stem, BOUNDED) BOUNDED(w, 128, )
#define TD_WHOLE_TILE_KERNELS_2D(FREE, BOUNDED)                                                    \
    TD_STAGED_2D(FREE, )                                                                           \
    TD_STAGED_IN_64_2D(TD_KERNEL_OF_64, BOUNDED)                                                   \
    TD_STAGED_TIGHTLY_2D(TD_KERNEL_OF_32, BOUNDED)                                                 \
    TD_STRIPS_IN_64_2D(TD_KERNEL_OF_64, BOUNDED)                                                   \
    TD_STRIPS_IN_80_2D(TD_KERNEL_OF_80, BOUNDED)                                                   \
    TD_STRIPS_IN_96_2D(TD_KERNEL_OF_96, BOUNDED)                                                   \
    TD_STRIPS_IN_128_2D(TD_KERNEL_OF_128, BOUNDED)                                                 \
    TD_ALSO_TILED_2D(BOUNDED, )

#endif
