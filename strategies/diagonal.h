/* diagonal - blocks along the diagonals, two of which make a row of a rectangle: cyclic in another order. No root. */
#ifndef TD_STRATEGIES_DIAGONAL_H
#define TD_STRATEGIES_DIAGONAL_H

#include "cyclic.h"

static inline void td_diagonal_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_cyclic_launch(domain, domain->tiles | 1u, (domain->tiles + 1) / 2));
}

/*
 * td_diagonal_map - the first n - y blocks of row y are diagonal y, the tiles (x + y, x). The others, which wrap in
 * td_cyclic_tile, are the y tiles of diagonal n - y for an odd n, and the y + 1 tiles of diagonal n - 1 - y for an even
 * one.
 *
 * Shape   (n | 1) x ceil(n / 2) = T(n) blocks
 * Exact   for every n up to 2^20, as td_cyclic_tile is (test: strategy_covers_every_tile_once)
 * Source  matrix profiles are computed along diagonals: SCAMP by Zimmerman and others 2019; the fold is ours
 */
TD_FN td_tile td_diagonal_map(const td_launch *launch, td_dim3 block)
{
    return td_cyclic_tile(launch, block.x, block.y);
}

TD_DESCRIPTOR td_strategy td_diagonal = {
    .id = TD_STRATEGY_diagonal,
    .name = "diagonal",
    .summary = "along the diagonals, two in a row of blocks: no root, no wasted block",
    .source = "Zimmerman et al. 2019 walk diagonals; folded",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_diagonal_plan,
    .block_map = td_diagonal_map,
};

#endif
