/* utm-b - the upper-triangular map on blocks, with rsqrt and the integer repair. */
#ifndef TD_STRATEGIES_UTM_B_H
#define TD_STRATEGIES_UTM_B_H

#include "utm_index.h"

/*
 * td_utm_b_map - block k is a pair a < b of n + 1: the strict triangle of n + 1 is the whole one of n.
 *
 * Shape   T(n) blocks in one dimension
 * Exact   for n <= 92680 (test: maps_are_exact_up_to_their_range)
 * Source  the conclusion of Navarro and Hitschfeld, triangular domains, proposes it; see td_utm_pair
 */
TD_FN td_tile td_utm_b_map(const td_launch *launch, td_dim3 block)
{
    const td_upper_pair pair = td_utm_pair_before(launch->n + 1, launch->param[0] - block.x);
    return td_tile_at(launch->n - pair.b, launch->n - 1 - pair.a, true);
}

TD_DESCRIPTOR td_strategy td_utm_b = {
    .id = TD_STRATEGY_utm_b,
    .name = "utm-b",
    .summary = "upper-triangular map on blocks, repaired in integers",
    .source = "Avril et al. 2012, on blocks",
    .exact_n = 92680,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_triangle_plan,
    .block_map = td_utm_b_map,
};

#endif
