/* check_counts.cuh - checks on the device and adds up the verdicts of all cells. */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_COUNTS_CUH
#define TD_ENGINE_CUDA_KERNELS_CHECK_COUNTS_CUH

#include "engine/cuda/kernel_table.h"

enum { TD_CHECK_THREADS = 256 }; /* per block of every kernel that counts */

/* Merge two counts. Verdicts add up in any order. */
__device__ inline void td_merge_counts(td_device_counts *to, const td_device_counts &more)
{
    to->checked += more.checked;
    to->mismatches += more.mismatches;
    to->touched_outside += more.touched_outside;
    to->found += more.found;
    to->max_abs_error = fmax(to->max_abs_error, more.max_abs_error);
    to->before_wrong = max(to->before_wrong, more.before_wrong);
}

/* The counts of the lane `offset` lanes further on. */
__device__ inline td_device_counts td_counts_from(const td_device_counts &mine, uint32_t offset)
{
    const uint32_t all = 0xffffffffu;
    return {__shfl_down_sync(all, mine.checked, offset),
            __shfl_down_sync(all, mine.mismatches, offset),
            __shfl_down_sync(all, mine.touched_outside, offset),
            __shfl_down_sync(all, mine.found, offset),
            __shfl_down_sync(all, mine.max_abs_error, offset),
            __shfl_down_sync(all, mine.before_wrong, offset)};
}

/* Add a block's counts to *sum. All threads of the block call it. It is not inlined, so that one instance serves all
 * checks. CUB would do the same, but NVRTC comes without it. */
static __device__ __noinline__ void td_add_counts(td_device_counts *sum, td_device_counts mine)
{
    __shared__ td_device_counts warps[TD_CHECK_THREADS / 32];
    for (uint32_t offset = 16; offset > 0; offset /= 2) {
        td_merge_counts(&mine, td_counts_from(mine, offset));
    }
    if (threadIdx.x % 32 == 0) {
        warps[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    if (threadIdx.x != 0) {
        return;
    }
    td_device_counts block = {};
    for (const td_device_counts &warp : warps) {
        td_merge_counts(&block, warp);
    }
    atomicAdd(&sum->checked, block.checked);
    atomicAdd(&sum->mismatches, block.mismatches);
    atomicAdd(&sum->touched_outside, block.touched_outside);
    atomicAdd(&sum->found, block.found);
    atomicMax(&sum->before_wrong, block.before_wrong);
    /* the bits of non-negative doubles have the same order as the doubles */
    atomicMax((unsigned long long *)&sum->max_abs_error,
              (unsigned long long)__double_as_longlong(block.max_abs_error));
}

__device__ inline void td_add_verdict(td_device_counts *counts, td_verdict verdict)
{
    counts->checked++;
    counts->mismatches += !verdict.ok;
    counts->found += verdict.found;
    counts->max_abs_error = fmax(counts->max_abs_error, verdict.error);
}

/* Keep the first mismatch, which has the largest ~place. */
__device__ inline void td_note_place(td_device_counts *counts, td_verdict verdict, uint32_t row,
                                     uint32_t col)
{
    if (!verdict.ok) {
        const unsigned long long place = (unsigned long long)row << 32 | col;
        counts->before_wrong = max(counts->before_wrong, ~place);
    }
}

/* The number of bytes of an element that no longer hold the poison. */
__device__ inline uint32_t td_touched(const td_data &data, const td_check_shape &shape,
                                      uint64_t element)
{
    const uint8_t *at = (const uint8_t *)data.output + element * shape.element_bytes;
    if (shape.element_bytes == 4 && *(const uint32_t *)at == 0x01010101u * shape.poison) {
        return 0;
    }
    uint32_t touched = 0;
#pragma unroll 1
    for (uint32_t byte = 0; byte < shape.element_bytes; byte++) {
        touched += at[byte] != shape.poison;
    }
    return touched;
}

/*
 * Calls add(x, look(x)) for this thread's x in first .. end - 1. Looks at several before it adds the first: with one
 * load in flight per thread, memory's latency would bound the check. Starts at a multiple of a line's elements.
 */
template <typename Look, typename Add>
__device__ inline void td_for_each(uint32_t first, uint32_t end, Look look, Add add)
{
    enum { AHEAD = 4, LINE = 32 };
    uint32_t x = first / LINE * LINE + threadIdx.x;
    if (x < first) {
        x += blockDim.x;
    }
    for (; x < end && end - x > (AHEAD - 1) * blockDim.x; x += AHEAD * blockDim.x) {
        decltype(look(x)) seen[AHEAD];
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) {
            seen[i] = look(x + i * blockDim.x);
        }
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) {
            add(x + i * blockDim.x, seen[i]);
        }
    }
    for (; x < end; x += blockDim.x) {
        add(x, look(x));
    }
}

/*
 * Check every cell of the triangle, row by row and without a map, so that the check cannot share a mistake with what it
 * checks. In the full layout the rest of each row is compared with the poison.
 */
template <td_check_fn *Check>
__device__ inline void td_run_check(const td_data &data, const td_check_shape &shape,
                                    td_device_counts *sum)
{
    td_device_counts mine = {};
    const td_share share = shape.share;
    for (uint32_t row = share.first_row + blockIdx.y; row < share.end_row; row += gridDim.y) {
        const uint32_t end = shape.square ? data.n : shape.no_diagonal ? row : row + 1;
        const uint32_t begin = td_share_begin(&share, row, end);
        const uint32_t last = td_share_end(&share, row, end);
        td_for_each(
            begin, last, [&](uint32_t col) { return Check(&data, row, col); },
            [&](uint32_t col, const td_verdict &verdict) {
                td_add_verdict(&mine, verdict);
                td_note_place(&mine, verdict, row, col);
            });
        td_for_each(
            end, shape.poisoned_outside ? data.n : 0,
            [&](uint32_t col) { return td_touched(data, shape, (uint64_t)row * data.n + col); },
            [&](uint32_t, uint32_t touched) { mine.touched_outside += touched; });
    }
    td_add_counts(sum, mine);
}

template <td_check_fn *Check>
__global__ void td_check_kernel(const td_data data, const td_check_shape shape,
                                td_device_counts *sum)
{
    td_run_check<Check>(data, shape, sum);
}

/* Check every cell of the tetrahedron. In the full layout the rest of the cube is compared with the poison. */
template <td_check3_fn *Check>
__device__ inline void td_run_check_3d(const td_data &data, const td_check_shape &shape,
                                       td_device_counts *sum)
{
    td_device_counts mine = {};
    for (uint32_t z = blockIdx.z; z < data.n; z += gridDim.z) {
        const uint32_t end_y = shape.poisoned_outside ? data.n : z + 1;
        for (uint32_t y = blockIdx.y; y < end_y; y += gridDim.y) {
            const uint32_t end = y <= z ? z - y + 1 : 0;
            const uint64_t row = ((uint64_t)z * data.n + y) * data.n;
            td_for_each(
                0, end, [&](uint32_t x) { return Check(&data, x, y, z); },
                [&](uint32_t, const td_verdict &verdict) { td_add_verdict(&mine, verdict); });
            td_for_each(
                end, shape.poisoned_outside ? data.n : 0,
                [&](uint32_t x) { return td_touched(data, shape, row + x); },
                [&](uint32_t, uint32_t touched) { mine.touched_outside += touched; });
        }
    }
    td_add_counts(sum, mine);
}

template <td_check3_fn *Check>
__global__ void td_check_kernel_3d(const td_data data, const td_check_shape shape,
                                   td_device_counts *sum)
{
    td_run_check_3d<Check>(data, shape, sum);
}

#endif
