/* bb - the bounding box: a square grid; blocks above the diagonal return at once. */
#ifndef TD_STRATEGIES_BB_H
#define TD_STRATEGIES_BB_H

#include "strategy.h"

static inline void td_bb_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_launch_over(domain, td_domain_columns(domain), domain->tiles, 1));
}

/*
 * td_bb_map - block (x, y) is tile (x, y).
 *
 * Shape   n x n blocks, n (n - 1) / 2 of them wasted
 * Exact   for every n below 2^32 / tile
 * Source  Navarro and Hitschfeld, triangular domains, section III.B
 */
TD_FN td_tile td_bb_map(const td_launch *launch, td_dim3 block)
{
    (void)launch;
    return td_tile_at(block.x, block.y, block.x <= block.y);
}

/* The same grid without the test of the diagonal: the tiles of the whole square. */
TD_FN td_tile td_bb_square_map(const td_launch *launch, td_dim3 block)
{
    (void)launch;
    return td_tile_at(block.x, block.y, true);
}

TD_DESCRIPTOR td_strategy td_bb = {
    .id = TD_STRATEGY_bb,
    .name = "bb",
    .summary = "bounding box, blocks above the diagonal return at once",
    .source = "Navarro & Hitschfeld, section III.B",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .is_baseline = true,
    .in_paper = true,
    .plan = td_bb_plan,
    .block_map = td_bb_map,
    .square_map = td_bb_square_map,
};

#endif
