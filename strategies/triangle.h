/*
 * triangle.h - the arithmetic of triangular numbers that several maps share.
 *
 * T(i) = i (i + 1) / 2 counts the elements of the rows before row i in a lower triangle.
 */
#ifndef TD_STRATEGIES_TRIANGLE_H
#define TD_STRATEGIES_TRIANGLE_H

#include <math.h>

#include "strategy.h"

/* Largest n with T(n) < 2^32: the 32-bit index of a block is exact up to here. */
#define TD_TRIANGLE_32 92681u

/* Blocks in one dimension, a tile each, counted back from the last tile: param[0] is the number of tiles after block
 * 0's, and param[1] the number of rows in a group, for ltm-g. */
static inline void td_triangle_plan(const td_domain *domain, td_plan *plan)
{
    td_launch launch = td_launch_over(domain, (uint32_t)td_triangle(domain->tiles), 1, 1);
    launch.param[0] = launch.grid.x - 1;
    launch.param[1] = domain->group > 0 ? domain->group : TD_USUAL_GROUP;
    td_plan_add(plan, launch);
}

/* T(i) without the overflow of i (i + 1): one of the two factors is even. Exact for i < 92682. */
TD_FN uint32_t td_triangle_32(uint32_t i)
{
    return ((i + 1) >> 1) * (i | 1);
}

/*
 * td_triangle_row - row and column of element `index` of a packed lower triangle, exactly.
 *
 * A float32 guess is off by at most one row; the remainder says in which direction, so one step
 * repairs it. The remainder wraps modulo 2^32 as signed, which is exact since it is small.
 *
 * Input   index < T(92681)
 * Exact   for every index (tests: repaired_row_is_exact, at both ends of every row)
 * Source  the paper on triangular domains, section III.A, equations (8), (9), (16); the repair is ours
 */
TD_FN td_tile td_triangle_row(uint32_t index)
{
    const float x = fmaf(2.0f, (float)index, 0.25f);
    uint32_t row = (uint32_t)fmaf(x, td_rsqrtf(x), -0.5f);
    int32_t col = (int32_t)(index - td_triangle_32(row));
    if (col < 0) {
        col += (int32_t)row;
        row -= 1;
    } else if (col > (int32_t)row) {
        row += 1;
        col -= (int32_t)row;
    }
    return td_tile_at((uint32_t)col, row, true);
}

/*
 * Like td_triangle_row, for indices of 32 bits and more. It needs no repair.
 *
 * Exact   for index < 2^50: 2 T(i) + 1/4 = (i + 1/2)^2 is exact in double and so is its root, and the last element of a
 *         row stays 1 / (i + 3/2) below the next, which is more than the rounding error (test: wide_row_is_exact)
 */
TD_FN void td_triangle_row_64(uint64_t index, uint64_t *row, uint64_t *col)
{
    *row = (uint64_t)(sqrt(2.0 * (double)index + 0.25) - 0.5);
    *col = index - td_triangle(*row);
}

#endif
