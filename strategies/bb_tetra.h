/* bb-tetra - the bounding box of a tetrahedron: a cube; blocks beyond the diagonal plane return at once. */
#ifndef TD_STRATEGIES_BB_TETRA_H
#define TD_STRATEGIES_BB_TETRA_H

#include "strategy.h"

static inline void td_bb_tetra_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_launch_over(domain, domain->tiles, domain->tiles, domain->tiles));
}

/*
 * td_bb_tetra_map - block (x, y, z) is tile (x, y, z).
 *
 * Shape   n^3 blocks, five sixths of them wasted
 * Exact   for n <= 65535, the most rows and slices of a grid
 * Source  the brute force of Gonzalez and Navarro, tetrahedral domains, section V, with x + y <= z
 *         tested by blocks first
 */
TD_FN td_tile td_bb_tetra_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile;
    (void)launch;
    tile.x = block.x;
    tile.y = block.y;
    tile.z = block.z;
    tile.active = block.x + block.y <= block.z;
    return tile;
}

TD_DESCRIPTOR td_strategy td_bb_tetra = {
    .id = TD_STRATEGY_bb_tetra,
    .name = "bb-tetra",
    .summary = "bounding box of a tetrahedron, five sixths of the blocks return at once",
    .source = "Gonzalez & Navarro, tetrahedral domains, section V",
    .exact_n = 65535,
    .dimension = 3,
    .unit = TD_MAPS_BLOCKS,
    .is_baseline = true,
    .plan = td_bb_tetra_plan,
    .block_map = td_bb_tetra_map,
};

#endif
