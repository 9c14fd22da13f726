/* utm_index.h - the upper-triangular map as a function of the pair's number, for utm, utm-t and utm-b. */
#ifndef TD_STRATEGIES_UTM_INDEX_H
#define TD_STRATEGIES_UTM_INDEX_H

#include "triangle.h"

/* A pair a < b of the upper triangle; a and b mean nothing if it does not exist. */
typedef struct td_upper_pair {
    uint32_t a, b;
    bool exists;
} td_upper_pair;

/* The pair with t pairs after it, in 32 bits: see td_utm_pair. Exact for n <= TD_TRIANGLE_32. */
TD_FN td_upper_pair td_utm_pair_before(uint32_t n, uint32_t t)
{
    const td_tile end = td_triangle_row(t);
    td_upper_pair pair;
    pair.a = n - 2 - end.y;
    pair.b = n - 1 - end.x;
    pair.exists = true;
    return pair;
}

/* td_utm_pair beyond 32 bits. It is not inlined, because its instructions would delay every thread at the usual n. */
TD_RARE td_upper_pair td_utm_pair_64(uint32_t n, uint64_t k)
{
    const uint64_t pairs = td_triangle(n - 1);
    uint64_t row, col;
    td_triangle_row_64(pairs - 1 - k, &row, &col);
    td_upper_pair pair;
    pair.a = n - 2 - (uint32_t)row;
    pair.b = n - 1 - (uint32_t)col;
    pair.exists = k < pairs;
    return pair;
}

/*
 * td_utm_pair - the k-th pair of the strict upper triangle of side n, row by row, exactly.
 *
 * The printed root of (2n-1)^2 - 8k cancels for large n. Counted from the end, t = n(n-1)/2 - 1 - k, the same a is n -
 * 2 - row(t) with the row of t in a packed lower triangle, which one integer step makes exact. Below n = 92682
 * everything fits in 32 bits.
 *
 * Input   k: at most a block's threads beyond the last pair
 * Exact   for n <= 2^20 and k < n(n-1)/2 (test: utm_pair_is_exact_at_row_ends)
 * Source  Avril, Gouranton and Arnaldi 2012, as in Navarro and Hitschfeld, triangular domains, section
 *         III.B, 0-based
 */
TD_FN td_upper_pair td_utm_pair(uint32_t n, uint64_t k)
{
    if (n > TD_TRIANGLE_32) {
        return td_utm_pair_64(n, k);
    }
    const uint32_t pairs = td_triangle_32(n - 1);
    td_upper_pair pair = td_utm_pair_before(n, pairs - 1 - (uint32_t)k);
    pair.exists = (uint32_t)k < pairs;
    return pair;
}

/*
 * Two grids for a thread map over pairs: the strict triangle and, if the workload has work there, the
 * diagonal (param[0] = 1). Threads are counted in one dimension, whatever the shape of the block.
 */
static inline void td_utm_threads_plan(const td_domain *domain, td_plan *plan)
{
    const uint64_t threads = (uint64_t)domain->block.x * domain->block.y;
    const uint64_t pairs = td_triangle(domain->cells) - domain->cells;
    const uint64_t limit = UINT32_MAX;
    for (uint64_t left = (pairs + threads - 1) / threads, base = 0; left > 0;) {
        const uint64_t blocks = left < limit ? left : limit; /* a grid's x is a 32-bit number */
        td_launch launch = td_launch_over(domain, (uint32_t)blocks, 1, 1);
        launch.param[1] = (uint32_t)(base >> 32);
        launch.param[2] = (uint32_t)base;
        td_plan_add(plan, launch);
        base += blocks * threads;
        left -= blocks;
        plan->blocks_needed += blocks;
    }
    if (!domain->no_diagonal) {
        const uint32_t blocks = (uint32_t)((domain->cells + threads - 1) / threads);
        td_launch launch = td_launch_over(domain, blocks, 1, 1);
        launch.param[0] = 1;
        td_plan_add(plan, launch);
        plan->blocks_needed += blocks;
    }
}

/* The number of a thread in a grid of td_utm_threads_plan. */
TD_FN uint64_t td_utm_thread_number(const td_launch *launch, td_thread t)
{
    const uint32_t in_block = t.thread.y * launch->block.x + t.thread.x;
    const uint64_t base = ((uint64_t)launch->param[1] << 32) | launch->param[2];
    return base + (uint64_t)t.block.x * (launch->block.x * launch->block.y) + in_block;
}

/*
 * td_utm_thread_cell - thread k is the pair (a, b) of the upper triangle; on the diagonal's grid it is (k, k).
 *
 * Input   reflected: the cell is the point reflection (N - 1 - a, N - 1 - b), else the transposition (b, a); a
 *         compile-time constant, so that no kernel tests it
 * Exact   for every N up to 2^20: the guess is repaired in integers
 */
TD_FN td_cell td_utm_thread_cell(const td_launch *launch, td_thread t, bool reflected)
{
    const uint64_t k = td_utm_thread_number(launch, t);
    td_cell cell;
    if (launch->param[0] == 1) {
        cell.row = (uint32_t)k;
        cell.col = (uint32_t)k;
        cell.active = k < launch->n;
    } else {
        const td_upper_pair pair = td_utm_pair(launch->n, k);
        cell.row = reflected ? launch->n - 1 - pair.a : pair.b;
        cell.col = reflected ? launch->n - 1 - pair.b : pair.a;
        cell.active = pair.exists;
    }
    return cell;
}

#endif
