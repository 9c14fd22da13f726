/* cyclic - the triangle as a rectangle of equal rows: each row takes the next tiles of its circle. No root. */
#ifndef TD_STRATEGIES_CYCLIC_H
#define TD_STRATEGIES_CYCLIC_H

#include "strategy.h"

/* A launch of x x y blocks; param[0] is m, see td_cyclic_tile, and param[1] is 1 for an even n. */
static inline td_launch td_cyclic_launch(const td_domain *domain, uint32_t x, uint32_t y)
{
    td_launch launch = td_launch_over(domain, x, y, 1);
    launch.param[0] = domain->tiles | 1u;
    launch.param[1] = launch.param[0] - domain->tiles;
    return launch;
}

static inline void td_cyclic_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_cyclic_launch(domain, (domain->tiles + 1) / 2, domain->tiles | 1u));
}

/*
 * td_cyclic_tile - the pair of place k < m on a circle of m = n | 1 places and the place `step` further on.
 *
 * m is odd, so of the two ways around the circle from one place to another exactly one has at most (m - 1) / 2 steps:
 * with 1 to (m - 1) / 2 steps from each place, every pair comes once. For an odd n, step 0 adds the pairs (k, k), the
 * diagonal. For an even n, m is n + 1, steps begin with 1, and the pair a < b of n + 1 places is tile (b - 1, a).
 * Together that is m ceil(n / 2) = T(n) blocks.
 */
TD_FN td_tile td_cyclic_tile(const td_launch *launch, uint32_t k, uint32_t step)
{
    const uint32_t end = k + step + launch->param[1];
    const bool wraps = end >= launch->param[0];
    return td_tile_at(wraps ? end - launch->param[0] : k, (wraps ? k : end) - launch->param[1],
                      true);
}

/*
 * td_cyclic_map - block (x, y) is place y and the one x steps further on, x + 1 for an even n.
 *
 * Shape   ceil(n / 2) x (n | 1) = T(n) blocks
 * Exact   for every n up to 2^20 (test: strategy_covers_every_tile_once)
 * Source  the stripes (k, (k + s + 1) mod n) of UniFrac by McDonald and others 2018; with the diagonal, and for an even
 *         n without the pairs that come twice, it is ours
 */
TD_FN td_tile td_cyclic_map(const td_launch *launch, td_dim3 block)
{
    return td_cyclic_tile(launch, block.y, block.x);
}

TD_DESCRIPTOR td_strategy td_cyclic = {
    .id = TD_STRATEGY_cyclic,
    .name = "cyclic",
    .summary =
        "each row takes the next n/2 tiles of a circle: equal rows, no root, no wasted block",
    .source = "McDonald et al. 2018, the stripes of UniFrac",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_cyclic_plan,
    .block_map = td_cyclic_map,
};

#endif
