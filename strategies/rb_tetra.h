/* rb-tetra - the fold of rb-b, slice by slice: slice z is a triangle of side z + 1. No root. */
#ifndef TD_STRATEGIES_RB_TETRA_H
#define TD_STRATEGIES_RB_TETRA_H

#include "fold.h"

/* The grid holds the rectangle of the largest slice, or the one before it, whichever is higher. */
static inline void td_rb_tetra_plan(const td_domain *domain, td_plan *plan)
{
    const uint32_t n = domain->tiles;
    td_plan_add(plan, td_launch_over(domain, (n + 1) / 2, n | 1u, n));
}

/*
 * td_rb_tetra_map - block (x, y) of the rectangle of slice z, folded to (row i, column j), is tile (j, i - j, z).
 *
 * Shape   ceil(n/2) x (n + 1 or n) x n blocks, a third of them needed
 * Exact   for n <= 65535, the most rows and slices of a grid
 * Source  section III.B of Navarro and Hitschfeld, triangular domains, on blocks and slice by slice
 */
TD_FN td_tile td_rb_tetra_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t side = block.z + 1;
    const uint32_t even = block.z & 1u; /* 1 if side is even */
    const bool straight = block.y >= block.x + even;
    const uint32_t row = straight ? block.y - even : side - 1 - block.y;
    td_tile tile;
    (void)launch;
    tile.x = straight ? block.x : side - even - block.x;
    tile.y = row - tile.x;
    tile.z = block.z;
    tile.active = 2 * block.x + even < side + 1 && block.y < side + even;
    return tile;
}

TD_DESCRIPTOR td_strategy td_rb_tetra = {
    .id = TD_STRATEGY_rb_tetra,
    .name = "rb-tetra",
    .summary = "each slice of the tetrahedron folded to a rectangle of blocks: no root",
    .source = "Navarro & Hitschfeld, section III.B, slice by slice",
    .exact_n = 65535,
    .dimension = 3,
    .unit = TD_MAPS_BLOCKS,
    .is_stand_in = true,
    .plan = td_rb_tetra_plan,
    .block_map = td_rb_tetra_map,
};

#endif
