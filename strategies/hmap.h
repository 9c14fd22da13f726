/* hmap - the flat recursive map: a triangle of side 2^p is exactly a rectangle, found with one bit scan. */
#ifndef TD_STRATEGIES_HMAP_H
#define TD_STRATEGIES_HMAP_H

#include "triangle.h"

/*
 * Any n: one grid covers the triangle of the largest power of two 2^p <= n and the rectangle of `rest` = n - 2^p rows
 * below it; the triangle of side `rest` that is left is covered in the same way. This takes popcount(n) launches.
 */
static inline void td_hmap_plan(const td_domain *domain, td_plan *plan)
{
    uint32_t origin = 0;
    for (uint32_t left = domain->tiles; left > 0;) {
        const uint32_t side = 1u << td_log2_floor(left);
        left -= side;
        td_launch launch = side == 1 ? td_launch_over(domain, 1, 1, 1)
                                     : td_launch_over(domain, side / 2, side + 1 + 2 * left, 1);
        launch.param[0] = origin;
        launch.param[1] = side;
        td_plan_add(plan, launch);
        origin += side;
    }
}

/*
 * td_hmap_map - rows y < side - 1 hold the squares of all levels side by side, the next two rows hold the last row of
 * the triangle, the remaining ones hold the rectangle below it, two rows of blocks per row of tiles.
 *
 * Shape   side/2 x (side + 1 + 2 rest) blocks for each bit of n; none wasted
 * Exact   for every n up to 2^20 (test: strategy_covers_every_tile_once)
 * Source  the flat form of the recursive map for 2-simplices by Navarro, Vernier, Bustos and Hitschfeld
 *         2016; the split for any n is ours
 */
TD_FN td_tile td_hmap_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t side = launch->param[1];
    uint32_t row, col;
    if (block.y + 1 < side) {
        const uint32_t square = 1u << td_log2_floor(block.y + 1);
        const uint32_t before = block.x & ~(square - 1);
        row = block.y + 2 * before;
        col = block.x + before;
    } else {
        const uint32_t half = block.y - (side - 1); /* 0 and 1: the last row; then the rectangle */
        row = side - 1 + half / 2;
        col = block.x + (half & 1u) * (side / 2);
    }
    return td_tile_at(launch->param[0] + col, launch->param[0] + row, true);
}

TD_DESCRIPTOR td_strategy td_hmap = {
    .id = TD_STRATEGY_hmap,
    .name = "hmap",
    .summary = "flat recursive map: one bit scan, one launch per bit of n",
    .source = "Navarro et al. 2016",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_hmap_plan,
    .block_map = td_hmap_map,
};

#endif
