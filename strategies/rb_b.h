/* rb-b - the fold of rb on blocks: thread layout, shared memory and coalescing survive, no root, no waste. */
#ifndef TD_STRATEGIES_RB_B_H
#define TD_STRATEGIES_RB_B_H

#include "fold.h"

static inline void td_rb_b_plan(const td_domain *domain, td_plan *plan)
{
    const td_dim3 box = td_fold_shape(domain->tiles);
    td_launch launch = td_launch_over(domain, box.x, box.y, 1);
    td_fold_setup(domain->tiles, &launch);
    td_plan_add(plan, launch);
}

/*
 * td_rb_b_map - block (x, y) of the rectangle is the folded tile.
 *
 * Shape   n/2 x (n + 1) blocks (n odd: (n + 1)/2 x n) = T(n)
 * Exact   for every n below 2^32 / tile
 * Source  section III.B of Navarro and Hitschfeld, triangular domains, with blocks for threads
 */
TD_FN td_tile td_rb_b_map(const td_launch *launch, td_dim3 block)
{
    return td_fold(launch, block.x, block.y);
}

TD_DESCRIPTOR td_strategy td_rb_b = {
    .id = TD_STRATEGY_rb_b,
    .name = "rb-b",
    .summary = "rectangular box on blocks: a fold, no root, no wasted block",
    .source = "Navarro & Hitschfeld, section III.B, on blocks",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .is_stand_in = true,
    .plan = td_rb_b_plan,
    .block_map = td_rb_b_map,
};

#endif
