/*
 * ltm-rows - the tetrahedron as a triangle of rows: seen along x, its rows (y, z) form a lower triangle, which ltm-i
 * maps exactly. A block takes whole rows, whatever their length.
 */
#ifndef TD_STRATEGIES_LTM_ROWS_H
#define TD_STRATEGIES_LTM_ROWS_H

#include "ltm_i.h"

static inline void td_ltm_rows_plan(const td_domain *domain, td_plan *plan)
{
    const uint32_t blocks = (uint32_t)td_triangle(domain->tiles);
    td_launch launch = td_launch_over(domain, blocks, 1, 1);
    launch.width = domain->cells;
    launch.param[0] = blocks - 1;
    td_plan_add(plan, launch);
    plan->blocks_needed = blocks;
}

/*
 * td_ltm_rows_map - row i and column j of ltm-i are layer z and row y of the tetrahedron.
 *
 * Shape   T(n) blocks in one dimension, each for a tile as wide as the domain
 * Exact   for n <= 65535, the most blocks of a one-dimensional grid, 2^31 - 1 (test: ltm_rows_is_ltm_i)
 * Source  ltm-i; {x + y <= z} projected along x is {y <= z}
 */
TD_FN td_tile td_ltm_rows_map(const td_launch *launch, td_dim3 block)
{
    const td_tile row = td_ltm_i_map(launch, block);
    td_tile tile;
    tile.x = 0;
    tile.y = row.x;
    tile.z = row.y;
    tile.active = true;
    return tile;
}

TD_DESCRIPTOR td_strategy td_ltm_rows = {
    .id = TD_STRATEGY_ltm_rows,
    .name = "ltm-rows",
    .summary = "the rows of a tetrahedron as the cells of a triangle: blocks take whole rows",
    .source = "ltm-i along x",
    .exact_n = 65535,
    .dimension = 3,
    .unit = TD_MAPS_BLOCKS,
    .whole_rows = true,
    .plan = td_ltm_rows_plan,
    .block_map = td_ltm_rows_map,
};

#endif
