/* numbers.h - the number of cells in a triangle and in a tetrahedron, for every layer of the program. */
#ifndef TD_STRATEGIES_NUMBERS_H
#define TD_STRATEGIES_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"

/* x, y, z as CUDA counts them: x varies fastest. */
typedef struct td_dim3 {
    uint32_t x, y, z;
} td_dim3;

/* The rows [first_row, end_row) of a 2D domain that one of several processes computes. */
typedef struct td_share {
    uint32_t first_row, end_row;
} td_share;

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
