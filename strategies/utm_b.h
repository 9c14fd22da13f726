/* utm-b - the upper-triangular map on blocks, with rsqrt and the integer repair. */
#ifndef TD_STRATEGIES_UTM_B_H
#define TD_STRATEGIES_UTM_B_H

#include "utm_index.h"

/* Pairs are counted back from the last tile: param[0] is the number of pairs after block 0's. */
static inline void td_utm_b_range(const td_domain *domain, uint64_t first, uint64_t end,
                                  td_plan *plan)
{
    td_launch launch = td_launch_over(domain, (uint32_t)(end - first), 1, 1);
    launch.param[0] = (uint32_t)end - 1;
    td_plan_add(plan, launch);
}

static inline void td_utm_b_plan(const td_domain *domain, td_plan *plan)
{
    td_utm_b_range(domain, 0, td_triangle(domain->tiles), plan);
}

/*
 * td_utm_b_map - block k is a pair a < b of n + 1: the strict triangle of n + 1 is the whole one of n.
 *
 * Shape   T(n) blocks in one dimension
 * Exact   for n <= 92680 (test: maps_are_exact_up_to_their_range)
 * Source  the conclusion of Navarro and Hitschfeld, triangular domains, proposes it; see td_utm_pair
 */
TD_FN td_tile td_utm_b_map(const td_launch *launch, td_dim3 block)
{
    const td_pair pair = td_utm_pair_before(launch->n + 1, launch->param[0] - block.x);
    td_tile tile;
    tile.y = launch->n - 1 - pair.a;
    tile.x = launch->n - pair.b;
    tile.z = 0;
    tile.active = true;
    return tile;
}

TD_DESCRIPTOR td_strategy td_utm_b = {
    .id = TD_STRATEGY_utm_b,
    .name = "utm-b",
    .summary = "upper-triangular map on blocks, repaired in integers",
    .source = "Avril et al. 2012, on blocks",
    .exact_n = 92680,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_utm_b_plan,
    .plan_range = td_utm_b_range,
    .block_map = td_utm_b_map,
};

#endif
