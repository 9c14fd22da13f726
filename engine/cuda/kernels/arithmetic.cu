/*
 * arithmetic.cu - independent chains of two-operation instructions in registers, limited only by the rate at which the
 * SMs issue them.
 */
#include <cstdint>

#include "arithmetic.h"

/* The result is stored under a condition that the compiler cannot decide, so that it cannot drop the work. */
template <typename T>
static __device__ void keep(const T (&chain)[TD_ARITHMETIC_CHAINS], T a, T *sink)
{
    T sum = 0;
    for (int c = 0; c < TD_ARITHMETIC_CHAINS; c++) {
        sum += chain[c];
    }
    if (a == T(0)) {
        sink[threadIdx.x] = sum;
    }
}

/* x = x a + b */
template <typename T>
static __global__ void __launch_bounds__(TD_ARITHMETIC_THREADS)
    multiply_add_kernel(T *sink, T a, T b, uint32_t rounds)
{
    T chain[TD_ARITHMETIC_CHAINS];
    for (int c = 0; c < TD_ARITHMETIC_CHAINS; c++) {
        chain[c] = T(threadIdx.x + c);
    }
#pragma unroll 1
    for (uint32_t round = 0; round < rounds; round++) {
#pragma unroll
        for (int link = 0; link < TD_ARITHMETIC_LINKS; link++) {
#pragma unroll
            for (int c = 0; c < TD_ARITHMETIC_CHAINS; c++) {
                chain[c] = chain[c] * a + b;
            }
        }
    }
    keep(chain, a, sink);
}

/*
 * Integers have two pipes, one that multiplies and adds and one for logic. Each gets half of the chains. A logic chain
 * takes in what another chain has multiplied, so that no two of its links can be merged.
 */
static __global__ void __launch_bounds__(TD_ARITHMETIC_THREADS)
    integer_kernel(uint32_t *sink, uint32_t a, uint32_t b, uint32_t rounds)
{
    uint32_t chain[TD_ARITHMETIC_CHAINS];
    for (int c = 0; c < TD_ARITHMETIC_CHAINS; c++) {
        chain[c] = threadIdx.x + c;
    }
#pragma unroll 1
    for (uint32_t round = 0; round < rounds; round++) {
#pragma unroll
        for (int link = 0; link < TD_ARITHMETIC_LINKS; link++) {
#pragma unroll
            for (int c = 0; c < TD_ARITHMETIC_CHAINS; c += 2) {
                chain[c] = chain[c] * a + b;
                chain[c + 1] = (chain[c + 1] & b) ^ chain[c];
            }
        }
    }
    keep(chain, a, sink);
}

const void *const td_fp32_kernel = (const void *)multiply_add_kernel<float>;
const void *const td_fp64_kernel = (const void *)multiply_add_kernel<double>;
const void *const td_int32_kernel = (const void *)integer_kernel;
