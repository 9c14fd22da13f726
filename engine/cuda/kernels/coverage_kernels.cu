/* coverage_kernels.cu - determines the coverage of a map on the device, and evaluates a map there. */
#include "cover.cuh"
#include "engine/cuda/kernel_table.h"
#include "pick.cuh"

template <auto *Map, int Dimension>
__global__ void td_coverage_kernel(const td_launch launch, uint32_t *visits,
                                   unsigned long long *found)
{
    td_count_visits<Map, Dimension>(launch, visits, found);
}

template <auto *Map>
__global__ void td_ask_kernel(const td_launch launch, const uint64_t *numbers, uint64_t count,
                              td_tile *tiles)
{
    td_ask<Map>(launch, numbers, count, tiles);
}

/* found: places that were not visited exactly once, the first of them, and the first that was not visited at all. */
static __global__ void td_coverage_count_kernel(const uint32_t *visits, uint64_t places,
                                                unsigned long long *found)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t p = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; p < places; p += stride) {
        if (visits[p] != 1) {
            atomicAdd(&found[0], 1ull);
            atomicMin(&found[1], (unsigned long long)p);
        }
        if (visits[p] == 0) {
            atomicMin(&found[2], (unsigned long long)p);
        }
    }
}

void td_add_coverage(td_kernel_tables *to)
{
    td_for_ids<TD_STRATEGY_COUNT>([&]<uint32_t Id>() {
        constexpr const td_strategy *s = td_strategy_by_id[Id];
        if constexpr (s->unit == TD_MAPS_THREADS) {
            to->coverage[Id] = (const void *)td_coverage_kernel<s->thread_map, 2>;
            to->ask[Id] = (const void *)td_ask_kernel<s->thread_map>;
        } else {
            to->coverage[Id] = (const void *)td_coverage_kernel<s->block_map, s->dimension>;
            to->ask[Id] = (const void *)td_ask_kernel<s->block_map>;
        }
    });
}

const void *const td_coverage_count = (const void *)td_coverage_count_kernel;
