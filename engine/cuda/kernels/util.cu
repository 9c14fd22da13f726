/* util.cu - the kernels that have neither map nor cell: counting bytes that differ, summing what tiles
 * have left. */
#include "check_counts.cuh"
#include "util.h"

static __global__ void count_other_kernel(const uint8_t *memory, uint32_t byte, uint64_t bytes,
                                          td_device_counts *sum)
{
    td_device_counts mine = {};
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += stride) {
        mine.touched_outside += memory[i] != byte;
    }
    td_add_counts(sum, mine);
}

const void *const td_count_other_kernel = (const void *)count_other_kernel;

/*
 * The order of the sum depends on nothing but the count: each thread every 1024th element in turn, four sums that
 * memory
 * can run ahead of, then the threads by halves.
 */
static __global__ void __launch_bounds__(1024) total_kernel(double *output, uint64_t count)
{
    enum { THREADS = 1024, SUMS = 4 };
    __shared__ double sums[THREADS];
    const double *terms = output + 1;
    double part[SUMS] = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t i = threadIdx.x; i < count; i += SUMS * THREADS) {
        for (int s = 0; s < SUMS; s++) {
            const uint64_t at = i + (uint64_t)s * THREADS;
            part[s] += at < count ? terms[at] : 0.0;
        }
    }
    sums[threadIdx.x] = (part[0] + part[1]) + (part[2] + part[3]);
    for (uint32_t half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            sums[threadIdx.x] += sums[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        output[0] = sums[0];
    }
}

const void *const td_total_kernel = (const void *)total_kernel;
