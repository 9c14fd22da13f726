/* cells_3d.cu - every 3D strategy with every 3D workload; and the total of a sum. */
#include <cub/block/block_reduce.cuh>

#include "engine/cuda/kernel_table.h"
#include "kernels_3d.cuh"
#include "workloads/workloads.h"

#define NONE(s, w) NULL,
#define BLOCK_MAP(s, w) (const void *)td_tile_kernel_3d<td_##s##_map, td_##w##_cell, 0, false>(),
#define EIGHT_PACKED(s, w) (const void *)td_tile_kernel_3d<td_##s##_map, td_##w##_cell, 8, false>(),
#define EIGHT_FULL(s, w) (const void *)td_tile_kernel_3d<td_##s##_map, td_##w##_cell, 8, true>(),
#define BLOCK_LOOP(s, w) (const void *)td_loop_kernel_3d<td_##s##_map, td_##w##_cell>,

/* A row of a table; trees have their kernels in trees.cu. */
#define BY_KIND(MAP, w) TD_STRATEGIES_2D(NONE, w) TD_BLOCK_MAPS_3D(MAP, w) TD_TREES_3D(NONE, w)
#define KERNELS_3D(w, A)                                                                           \
    extern "C" const td_kernels td_kernels_##w;                                                    \
    const td_kernels td_kernels_##w = {                                                            \
        {NULL},                                                                                    \
        {BY_KIND(BLOCK_MAP, w)},                                                                   \
        {BY_KIND(BLOCK_LOOP, w)},                                                                  \
        {{BY_KIND(EIGHT_PACKED, w)}, {BY_KIND(EIGHT_FULL, w)}},                                    \
    };

TD_WORKLOADS_3D(KERNELS_3D, )
TD_SUMS_3D(KERNELS_3D, )

/*
 * The order of the sum depends on nothing but the count: each thread every 1024th element in turn, four sums that
 * memory can run ahead of, then the threads of the block.
 */
static __global__ void __launch_bounds__(1024) total_kernel(double *output, uint64_t count)
{
    enum { THREADS = 1024, SUMS = 4 };
    typedef cub::BlockReduce<double, THREADS, cub::BLOCK_REDUCE_RAKING> reduce;
    __shared__ reduce::TempStorage shared;
    const double *terms = output + 1;
    double part[SUMS] = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t i = threadIdx.x; i < count; i += SUMS * THREADS) {
        for (int s = 0; s < SUMS; s++) {
            const uint64_t at = i + (uint64_t)s * THREADS;
            part[s] += at < count ? terms[at] : 0.0;
        }
    }
    const double sum = reduce(shared).Sum((part[0] + part[1]) + (part[2] + part[3]));
    if (threadIdx.x == 0) {
        output[0] = sum;
    }
}

extern "C" const void *const td_total_kernel;
const void *const td_total_kernel = (const void *)total_kernel;
