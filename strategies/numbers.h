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

/* How many rows each sequence of a batch has, from 1 to N. There are as many sequences as triangles or, where each has
 * several heads, a number that divides theirs. */
typedef struct td_lengths {
    const uint32_t *rows; /* NULL: all have N */
    uint32_t sequences;
} td_lengths;

/* The rows of one of `batch` triangles. */
static inline uint32_t td_length_of(td_lengths lengths, uint32_t n, uint32_t batch,
                                    uint32_t triangle)
{
    if (lengths.rows != NULL) {
        return lengths.rows[(uint64_t)triangle * lengths.sequences / batch];
    }
    return n;
}

#endif
