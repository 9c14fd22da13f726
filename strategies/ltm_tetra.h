/* ltm-tetra - the lambda map in 3D: block number to slice by a cube root, slice to tile by ltm-i. No wasted block. */
#ifndef TD_STRATEGIES_LTM_TETRA_H
#define TD_STRATEGIES_LTM_TETRA_H

#include "tetrahedron.h"

static inline void td_ltm_tetra_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_launch_over(domain, (uint32_t)td_tetrahedron(domain->tiles), 1, 1));
}

/*
 * td_ltm_tetra_map - element block.x of the packed tetrahedron: slice z, and in it (row i, column j) of a lower
 * triangle, which is tile (j, i - j, z).
 *
 * Shape   Te(n) blocks in one dimension
 * Exact   for n <= 2343, the most blocks of a one-dimensional grid, 2^31 - 1 (test:
 *         ltm_tetra_is_exact_up_to_its_range)
 * Source  the lambda map of Navarro and Hitschfeld, carried to the 3-simplex by Navarro, Bustos,
 *         Vernier and Hitschfeld; float guesses repaired in integers, since float32 alone fails
 *         from slice 203 on
 */
TD_FN td_tile td_ltm_tetra_map(const td_launch *launch, td_dim3 block)
{
    const td_slice slice = td_slice_of(block.x);
    td_tile tile = td_triangle_row(slice.rest);
    (void)launch;
    tile.y -= tile.x;
    tile.z = slice.z;
    return tile;
}

TD_DESCRIPTOR td_strategy td_ltm_tetra = {
    .id = TD_STRATEGY_ltm_tetra,
    .name = "ltm-tetra",
    .summary = "block number to tile by a cube root, repaired in integers: no wasted block",
    .source = "Navarro et al., the lambda map in 3D",
    .exact_n = 2343,
    .dimension = 3,
    .unit = TD_MAPS_BLOCKS,
    .is_costly = true,
    .plan = td_ltm_tetra_plan,
    .block_map = td_ltm_tetra_map,
};

#endif
