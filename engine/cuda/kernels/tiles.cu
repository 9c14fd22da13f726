/*
 * tiles.cu - the workloads' own kernels for whole tiles, each under every map of blocks.
 *
 * Most tiles are the work of thousands of instructions, so that their kernel can afford to choose the map while it
 * runs: one kernel per workload in place of ten, which would take half of the build.
 */
#include "engine/cuda/kernel_table.h"
#include "kernels.cuh"
#include "workloads/tiles.cuh"
#include "workloads/workloads.h"

typedef void td_tile_fn(const td_data &data, td_work_tile tile);

/* The same for all threads of a grid. TD_WHOLE_SQUARE is no strategy. */
__device__ inline td_tile td_map_with(uint32_t strategy, const td_launch &launch, td_dim3 block)
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

template <td_tile_fn *Tile>
__device__ inline void td_run_tile(const td_launch &launch, const td_data &data, uint32_t strategy)
{
    const td_tile tile = td_map_with(strategy, launch, td_block_index<true>(launch));
    if (tile.active) { /* the same for all threads of a block: a tile may synchronise them */
        Tile(data, {tile.x, tile.y, launch.tile});
    }
}

template <td_tile_fn *Tile>
__global__ void td_tile_kernel(const td_launch launch, const td_data data, const uint32_t strategy)
{
    td_run_tile<Tile>(launch, data, strategy);
}

/* With so many registers that the blocks that are to be resident are. */
template <td_tile_fn *Tile, int Registers>
__global__ void __maxnreg__(Registers)
    td_bounded_tile_kernel(const td_launch launch, const td_data data, const uint32_t strategy)
{
    td_run_tile<Tile>(launch, data, strategy);
}

#define TILES(w, kernel)                                                                           \
    extern "C" const void *const td_tiles_##w;                                                     \
    const void *const td_tiles_##w = (const void *)kernel;
#define ONE_KERNEL(w, ...) TILES(w, (td_tile_kernel<td_##w##_tile>))
#define BOUNDED_KERNEL(w, registers, A) TILES(w, (td_bounded_tile_kernel<td_##w##_tile, registers>))
#define KERNEL_OF_32(w, ...) BOUNDED_KERNEL(w, 32, )
#define KERNEL_OF_64(w, ...) BOUNDED_KERNEL(w, 64, )
#define KERNEL_OF_80(w, ...) BOUNDED_KERNEL(w, 80, )
#define KERNEL_OF_128(w, ...) BOUNDED_KERNEL(w, 128, )

TD_STAGED_2D(ONE_KERNEL, )
TD_STAGED_TIGHTLY_2D(KERNEL_OF_32, )
TD_STRIPS_OF_ELEMENTS_2D(KERNEL_OF_80, )
TD_STRIPS_OF_BITS_2D(KERNEL_OF_64, )
TD_LONG_STRIPS_2D(KERNEL_OF_128, )
TD_ALSO_TILED_2D(BOUNDED_KERNEL, )
