/* check_counts.cuh - what the checks of all dimensions share: adding up verdicts, and looking at bytes. */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_COUNTS_CUH
#define TD_ENGINE_CUDA_KERNELS_CHECK_COUNTS_CUH

#include "engine/cuda/kernel_table.h"

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

/* The place is kept only by checks that pass one: of the first mismatch, which has the largest ~place. */
__device__ inline void td_add_verdict(td_device_counts *counts, td_verdict verdict,
                                      unsigned long long place)
{
    counts->found += verdict.found;
    if (!verdict.ok || (verdict.error > 0.0 && verdict.error > counts->max_abs_error)) {
        counts->mismatches += !verdict.ok;
        counts->max_abs_error = fmax(counts->max_abs_error, verdict.error);
        counts->before_wrong = max(counts->before_wrong, verdict.ok ? 0 : ~place);
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
 * Calls add(x, look(x)) for a thread's x in first .. end - 1, one of every `threads`. Looks at several before it adds
 * the first: with one load in flight per thread, memory's latency would bound the check. Starts at a multiple of a
 * line's elements.
 */
template <typename Look, typename Add>
__device__ inline void td_for_each(uint32_t first, uint32_t end, uint32_t thread, uint32_t threads,
                                   Look look, Add add)
{
    enum { AHEAD = 4, LINE = 32 };
    uint32_t x = first / LINE * LINE + thread;
    if (x < first) {
        x += threads;
    }
    for (; x < end && end - x > (AHEAD - 1) * threads; x += AHEAD * threads) {
        decltype(look(x)) seen[AHEAD];
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) {
            seen[i] = look(x + i * threads);
        }
#pragma unroll
        for (uint32_t i = 0; i < AHEAD; i++) {
            add(x + i * threads, seen[i]);
        }
    }
    for (; x < end; x += threads) {
        add(x, look(x));
    }
}

#endif
