/* rb - the rectangular box: the lower part of the triangle, rotated, completes the upper one to a rectangle. */
#ifndef TD_STRATEGIES_RB_H
#define TD_STRATEGIES_RB_H

#include "fold.h"

static inline void td_rb_plan(const td_domain *domain, td_plan *plan)
{
    const td_dim3 box = td_fold_shape(domain->cells);
    const uint32_t columns = td_ceil_div(box.x, domain->block.x);
    const uint32_t rows = td_ceil_div(box.y, domain->block.y);
    td_launch launch = td_launch_over(domain, columns, rows, 1);
    td_fold_setup(domain->cells, &launch);
    td_plan_add(plan, launch);
    plan->blocks_needed = (uint64_t)columns * rows;
}

/*
 * td_rb_map - thread (x, y) of an N/2 x (N + 1) rectangle (N odd: (N + 1)/2 x N) is the folded cell.
 *
 * Shape   ceil(W / bx) x ceil(H / by) blocks, W x H the rectangle; only its padding is wasted
 * Exact   for every N up to 2^31
 * Source  Jung and O'Leary's packing, as in Navarro and Hitschfeld, triangular domains, section III.B,
 *         with j = N - t_x - 1 for the reflected part
 */
TD_FN td_cell td_rb_map(const td_launch *launch, td_thread t)
{
    const uint32_t x = t.block.x * launch->block.x + t.thread.x;
    const uint32_t y = t.block.y * launch->block.y + t.thread.y;
    const td_tile folded = td_fold(launch, x, y);
    td_cell cell;
    cell.row = folded.y;
    cell.col = folded.x;
    cell.active = x < launch->param[2] && y + launch->param[0] <= launch->n;
    return cell;
}

TD_DESCRIPTOR td_strategy td_rb = {
    .id = TD_STRATEGY_rb,
    .name = "rb",
    .summary = "rectangular box: the triangle folded to a rectangle of threads",
    .source = "Jung & O'Leary 2008",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_THREADS,
    .in_paper = true,
    .plan = td_rb_plan,
    .thread_map = td_rb_map,
};

#endif
