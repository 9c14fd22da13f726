/*
 * cover.cuh - where a map sends blocks, without a workload. Each thread evaluates the map for one block, or one
 * thread of it, at a time, so that a whole plan costs microseconds.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_COVER_CUH
#define TD_ENGINE_CUDA_KERNELS_COVER_CUH

#include "engine/core/coverage.h"
#include "maps.cuh"
#include "tile_loop_3d.cuh"

/* The places of a block map and of a thread map by number: see td_asked_places. */
template <auto *Map>
__device__ inline td_tile td_asked(const td_launch &launch, uint64_t number)
{
    if constexpr (td_is_same<decltype(Map), td_thread_map_fn *>) {
        const uint32_t threads = launch.block.x * launch.block.y * launch.block.z;
        td_thread t;
        t.block = td_nth_block(&launch, number / threads);
        t.thread = td_nth_thread(&launch, (uint32_t)(number % threads));
        const td_cell cell = Map(&launch, t);
        return td_tile_at(cell.col, cell.row, cell.active);
    } else {
        return Map(&launch, td_nth_block(&launch, number));
    }
}

/* Count the visits of each place; found: answers outside the domain, and the number of the first one. */
template <auto *Map, int Dimension>
__device__ inline void td_count_visits(const td_launch &launch, uint32_t *visits,
                                       unsigned long long *found)
{
    const uint64_t all = td_asked_count(td_is_same<decltype(Map), td_thread_map_fn *>, &launch);
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += stride) {
        const td_tile tile = td_asked<Map>(launch, i);
        const uint32_t tiles = td_tiles_inside(Dimension, &launch, tile);
        for (uint32_t k = 0; tile.active && k < tiles; k++) {
            const uint64_t place =
                td_place(Dimension, launch.n, td_nth_tile(Dimension, &launch, tile, k));
            if (place == UINT64_MAX) {
                atomicAdd(&found[0], 1ull);
                atomicMin(&found[1], (unsigned long long)i);
                break;
            }
            atomicAdd(&visits[place], 1u);
        }
    }
}

/* Evaluate a map for some numbers. */
template <auto *Map>
__device__ inline void td_ask(const td_launch &launch, const uint64_t *numbers, uint64_t count,
                              td_tile *tiles)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        tiles[i] = td_asked<Map>(launch, numbers[i]);
    }
}

#endif
