/*
 * numbers.h - how many cells a triangle and a tetrahedron have, for every floor of the program.
 *
 * gcc and nvcc both compile this header and every header that builds on it, so they keep to the common
 * part of C11 and C++20.
 */
#ifndef TD_STRATEGIES_NUMBERS_H
#define TD_STRATEGIES_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define TD_FN inline __host__ __device__ /* not static, so that profilers show plain names */
#else
#define TD_FN static inline
#endif

/* A descriptor: for nvcc its facts are constants, fit for template arguments. */
#ifdef __cplusplus
#define TD_DESCRIPTOR static constexpr
#else
#define TD_DESCRIPTOR static const
#endif

/* x, y, z as CUDA counts them: x varies fastest. */
typedef struct td_dim3 {
    uint32_t x, y, z;
} td_dim3;

TD_FN uint64_t td_triangle(uint64_t n)
{
    return n * (n + 1) / 2;
}

TD_FN uint64_t td_tetrahedron(uint64_t n)
{
    return n * (n + 1) / 2 * (n + 2) / 3; /* T(n) (n + 2) is a multiple of 3 */
}

TD_FN uint32_t td_ceil_div(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

#endif
