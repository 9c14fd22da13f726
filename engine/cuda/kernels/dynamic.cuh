/* dynamic.cuh - --schedule dynamic: blocks stay on the device and take the next tile whenever they finish one. */
#ifndef TD_ENGINE_CUDA_KERNELS_DYNAMIC_CUH
#define TD_ENGINE_CUDA_KERNELS_DYNAMIC_CUH

#include "engine/cuda/kernel_table.h"
#include "tile_runs.cuh"

/* Ticket counters, one per launch that may run beside others. Each is 0 before and after a launch. */
static __device__ uint32_t td_counters[TD_COUNTERS];

/*
 * A block's first tile has the block's own number; tickets give it the others. Together the blocks take as many tickets
 * as there are tiles, because each block also takes one that has no tile, and so the counter wraps to 0 by itself.
 *
 * Input   strategy: its upper half is the number of the counter. At most 2^32 - 1 tiles; no more blocks than tiles
 */
template <auto *Map, typename Work>
__device__ inline void td_take_tiles(const td_launch &launch, uint32_t strategy, Work work)
{
    __shared__ uint32_t taken;
    const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    const bool takes = (threadIdx.x | threadIdx.y | threadIdx.z) == 0;
    for (uint64_t b = blockIdx.x; b < blocks;) {
        /* requested before the tile, so that it is there when the tile is done */
        const uint32_t ticket =
            takes ? atomicInc(&td_counters[strategy >> 16], (uint32_t)blocks - 1) : 0;
        const td_tile tile = Map(strategy & 0xffff, launch, td_block_at(launch, b, blocks));
        if (tile.active) {
            work(tile, b != blockIdx.x);
        }
        if (takes) {
            taken = ticket;
        }
        __syncthreads(); /* the tile's shared memory is free again, too */
        b = (uint64_t)gridDim.x + taken;
        __syncthreads();
    }
}

/* A workload's own kernel for whole tiles. */
template <td_tile_fn *Tile>
struct td_dynamic {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t strategy)
    {
        td_take_tiles<td_map_with>(launch, strategy, [&](const td_tile &tile, bool again) {
            Tile(data, {tile.x, tile.y, launch.tile, again});
        });
    }
};

/* Cell by cell; the map is chosen at run time, as for whole tiles. */
template <td_cell_fn *Cell, int Unroll = 4>
__device__ inline void td_run_dynamic(const td_launch &launch, const td_data &data,
                                      uint32_t strategy)
{
    td_take_tiles<td_map_with>(launch, strategy, [&](const td_tile &tile, bool) {
        td_loop_tile<Cell, Unroll>(launch, data, tile);
    });
}

#endif
