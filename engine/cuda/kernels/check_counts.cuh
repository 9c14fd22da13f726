/* check_counts.cuh - what the checks of all dimensions share: adding up verdicts, and looking at bytes. */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_COUNTS_CUH
#define TD_ENGINE_CUDA_KERNELS_CHECK_COUNTS_CUH

#include "engine/cuda/kernel_table.h"

/* What a thread counts: far fewer than 2^27 cells. What is wrong is rare, and counted by the block, in shared memory,
 * where it takes no registers. */
struct td_counts {
    uint32_t checked, found;
};

__device__ inline td_device_counts *td_block_counts()
{
    __shared__ td_device_counts block;
    return &block;
}

/* A block calls this before it counts. */
__device__ inline void td_start_counts()
{
    if (threadIdx.x == 0) {
        *td_block_counts() = {};
    }
    __syncthreads();
}

/* The bits of non-negative doubles have the same order as the doubles. */
__device__ inline void td_raise_error(td_device_counts *counts, double error)
{
    atomicMax((unsigned long long *)&counts->max_abs_error,
              (unsigned long long)__double_as_longlong(error));
}

/* Count a checked cell. The place is kept only by checks that pass one: of the first mismatch, which has the largest
 * ~place. */
__device__ inline void td_add_verdict(td_counts *mine, td_verdict verdict, unsigned long long place)
{
    td_device_counts *block = td_block_counts();
    mine->checked++;
    mine->found += verdict.found;
    if (!verdict.ok) {
        atomicAdd(&block->mismatches, 1ull);
        atomicMax(&block->before_wrong, ~place);
    }
    if (verdict.error > 0.0 && verdict.error > block->max_abs_error) {
        td_raise_error(block, verdict.error);
    }
}

__device__ inline void td_add_touched(uint32_t bytes)
{
    if (bytes > 0) {
        atomicAdd(&td_block_counts()->touched_outside, (unsigned long long)bytes);
    }
}

/* Add a thread's count to that of its block. */
__device__ inline void td_add_to_block(unsigned long long *count, uint32_t mine)
{
    for (uint32_t offset = 16; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(0xffffffffu, mine, offset);
    }
    if (threadIdx.x % 32 == 0 && mine > 0) {
        atomicAdd(count, (unsigned long long)mine);
    }
}

/* Add a block's counts to *sum. All threads of the block call it. It is not inlined, so that one instance serves all
 * checks. */
static __device__ __noinline__ void td_add_counts(td_device_counts *sum, td_counts mine)
{
    td_device_counts *block = td_block_counts();
    td_add_to_block(&block->checked, mine.checked);
    td_add_to_block(&block->found, mine.found);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&sum->checked, block->checked);
        atomicAdd(&sum->mismatches, block->mismatches);
        atomicAdd(&sum->touched_outside, block->touched_outside);
        atomicAdd(&sum->found, block->found);
        atomicMax(&sum->before_wrong, block->before_wrong);
        td_raise_error(sum, block->max_abs_error);
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
