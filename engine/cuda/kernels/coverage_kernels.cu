/*
 * coverage_kernels.cu - determines the coverage of a map on the device. Each thread evaluates the map for one block at
 * a time, so that a whole plan costs microseconds.
 */
#include "engine/core/coverage.h"
#include "engine/cuda/kernel_table.h"
#include "maps.cuh"
#include "pick.cuh"

template <td_block_map_fn *Map, int Dimension>
__global__ void td_coverage_blocks_kernel(const td_launch launch, uint32_t *visits,
                                          unsigned long long *outside)
{
    const uint64_t blocks = td_launch_blocks(&launch);
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t b = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; b < blocks; b += stride) {
        td_tile tile = Map(&launch, td_nth_block(&launch, b));
        const uint64_t place = td_place(Dimension, launch.n, tile);
        if (tile.active && place == UINT64_MAX) {
            atomicAdd(outside, 1ull);
            continue;
        }
        const uint32_t columns = Dimension == 3 ? td_tile_columns(&launch, tile) : 1;
        for (uint32_t end = tile.x + columns; tile.active && tile.x < end; tile.x++) {
            atomicAdd(&visits[td_place(Dimension, launch.n, tile)], 1u);
        }
    }
}

template <td_thread_map_fn *Map>
__global__ void td_coverage_threads_kernel(const td_launch launch, uint32_t *visits,
                                           unsigned long long *outside)
{
    const uint32_t threads = launch.block.x * launch.block.y * launch.block.z;
    const uint64_t all = td_launch_blocks(&launch) * threads;
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += stride) {
        td_thread t;
        t.block = td_nth_block(&launch, i / threads);
        t.thread = td_nth_thread(&launch, (uint32_t)(i % threads));
        const td_cell cell = Map(&launch, t);
        td_tile at;
        at.x = cell.col;
        at.y = cell.row;
        at.z = 0;
        at.active = cell.active;
        const uint64_t place = td_place(2, launch.n, at);
        if (cell.active && place == UINT64_MAX) {
            atomicAdd(outside, 1ull);
        } else if (cell.active) {
            atomicAdd(&visits[place], 1u);
        }
    }
}

static __global__ void td_coverage_count_kernel(const uint32_t *visits, uint64_t places,
                                                unsigned long long *wrong,
                                                unsigned long long *first_wrong)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t p = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; p < places; p += stride) {
        if (visits[p] != 1) {
            atomicAdd(wrong, 1ull);
            atomicMin(first_wrong, (unsigned long long)p);
        }
    }
}

void td_add_coverage(td_kernel_tables *to)
{
    td_for_ids<TD_STRATEGY_COUNT>([&]<uint32_t Id>() {
        constexpr const td_strategy *s = td_strategy_by_id[Id];
        if constexpr (s->unit == TD_MAPS_THREADS) {
            to->coverage[Id] = (const void *)td_coverage_threads_kernel<s->thread_map>;
        } else {
            to->coverage[Id] = (const void *)td_coverage_blocks_kernel<s->block_map, s->dimension>;
        }
    });
}

const void *const td_coverage_count = (const void *)td_coverage_count_kernel;
