/* bb - the bounding box: a square grid; blocks above the diagonal return at once. */
#ifndef TD_STRATEGIES_BB_H
#define TD_STRATEGIES_BB_H

#include "strategy.h"

static inline void td_bb_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_launch_over(domain, domain->tiles, domain->tiles, 1));
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
    td_tile tile;
    (void)launch;
    tile.x = block.x;
    tile.y = block.y;
    tile.z = 0;
    tile.active = block.x <= block.y;
    return tile;
}

#endif
