/* bb-t - the bounding box as most people write it: every thread computes its cell, then tests it. */
#ifndef TD_STRATEGIES_BB_T_H
#define TD_STRATEGIES_BB_T_H

#include "strategy.h"

static inline void td_bb_t_plan(const td_domain *domain, td_plan *plan)
{
    const uint32_t columns = td_ceil_div(domain->cells, domain->block.x);
    const uint32_t rows = td_ceil_div(domain->cells, domain->block.y);
    td_plan_add(plan, td_launch_over(domain, columns, rows, 1));
    for (uint32_t by = 0; by < rows; by++) {
        /* a block is needed when its last row reaches its first column */
        const uint64_t end = (uint64_t)(by + 1) * domain->block.y;
        const uint32_t last_row = (uint32_t)(end < domain->cells ? end : domain->cells) - 1;
        plan->blocks_needed += last_row / domain->block.x + 1;
    }
}

/*
 * td_bb_t_map - one thread per cell of the enclosing square; the upper half is idle.
 *
 * Shape   ceil(N / bx) x ceil(N / by) blocks
 * Exact   for every N up to 2^31
 * Source  the usual way; compare section III.B of Navarro and Hitschfeld, triangular domains, which tests
 *         blocks first
 */
TD_FN td_cell td_bb_t_map(const td_launch *launch, td_thread t)
{
    td_cell cell;
    cell.row = t.block.y * launch->block.y + t.thread.y;
    cell.col = t.block.x * launch->block.x + t.thread.x;
    cell.active = cell.col <= cell.row && cell.row < launch->n;
    return cell;
}

TD_DESCRIPTOR td_strategy td_bb_t = {
    .id = TD_STRATEGY_bb_t,
    .name = "bb-t",
    .summary = "bounding box, every thread tests its own cell",
    .source = "the usual way",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_THREADS,
    .plan = td_bb_t_plan,
    .thread_map = td_bb_t_map,
};

#endif
