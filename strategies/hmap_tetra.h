/* hmap-tetra - the map H of a tetrahedron: cubes, level by level, with far corners folded onto the part past it. */
#ifndef TD_STRATEGIES_HMAP_TETRA_H
#define TD_STRATEGIES_HMAP_TETRA_H

#include "strategy.h"

/*
 * With w = n - 1 - z the domain is the corner x + y + w < n. A corner of side s = N_j - 1, N_j = (n + 1) >> j, has a
 * cube of side h = N_j - N_(j+1) at its origin, which leaves three corners of side N_(j+1) - 1: beside the cube in x,
 * beside it in y, and past it in w. The cube's blocks that miss the corner cover the one past the cube; the other
 * two corners are the next level. Each level is one launch.
 */
static inline void td_hmap_tetra_plan(const td_domain *domain, td_plan *plan)
{
    const uint32_t above = domain->tiles + 1;
    for (uint32_t level = 0; above >> level >= 2; level++) {
        const uint32_t side = (above >> level) - (above >> (level + 1));
        td_launch launch = td_launch_over(domain, side << level, side, side);
        launch.param[0] = level;
        td_plan_add(plan, launch);
    }
}

/*
 * td_hmap_tetra_map - block (x, y, w) of cube q of a level: in place, or mirrored onto the corner past the cube.
 *
 * Shape   2^j h x h x h blocks for each level j; none wasted at n = 2^k - 1, else about 3/n of the useful ones
 * Exact   for n <= 131069, where a cube has 65535 rows (test: strategy_covers_every_tile_once)
 * Source  the map H of Navarro and others, "A scalable and energy efficient GPU thread map for m-simplex domains",
 *         2023; a launch per level, for any n, is ours
 */
TD_FN td_tile td_hmap_tetra_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t above = launch->n + 1;
    const uint32_t level = launch->param[0];
    const uint32_t next = above >> (level + 1);
    const uint32_t side = (above >> level) - next;
    const uint32_t cube = level > 0 ? block.x / side : 0;
    td_tile tile;
    tile.x = block.x - cube * side;
    tile.y = block.y;
    uint32_t depth = block.z;
    tile.active = true;
    if (tile.x + tile.y + depth >= side + next - 1) {
        tile.x = side - 1 - tile.x;
        tile.y = side - 1 - tile.y;
        depth = 2 * side - 1 - depth;
        tile.active = tile.x + tile.y + depth < side + next - 1;
    }
    /* each earlier level placed the corner beside its cube, in x or in y */
    for (uint32_t i = 0; i < level; i++) {
        const uint32_t step = (above >> i) - (above >> (i + 1));
        if ((cube >> i & 1u) > 0) {
            tile.x += step;
        } else {
            tile.y += step;
        }
    }
    tile.z = launch->n - 1 - depth;
    return tile;
}

TD_DESCRIPTOR td_strategy td_hmap_tetra = {
    .id = TD_STRATEGY_hmap_tetra,
    .name = "hmap-tetra",
    .summary = "the map H: cubes whose far corners are folded back, one launch per bit of n",
    .source = "Navarro et al. 2023",
    .exact_n = 131069,
    .dimension = 3,
    .unit = TD_MAPS_BLOCKS,
    .is_costly = true,
    .plan = td_hmap_tetra_plan,
    .block_map = td_hmap_tetra_map,
};

#endif
