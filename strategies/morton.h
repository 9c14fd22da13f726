/* morton - Z order: quarters of quarters of the triangle, each finished before the next one begins. */
#ifndef TD_STRATEGIES_MORTON_H
#define TD_STRATEGIES_MORTON_H

#include "triangle.h"

/* param[0] is half the smallest power of two that is at least n; 0 for a single tile. */
static inline void td_morton_plan(const td_domain *domain, td_plan *plan)
{
    td_launch launch = td_launch_over(domain, (uint32_t)td_triangle(domain->tiles), 1, 1);
    uint32_t power = 1;
    while (power < domain->tiles) {
        power *= 2;
    }
    launch.param[0] = power / 2;
    td_plan_add(plan, launch);
}

/*
 * td_morton_map - element block.x of the triangle's tiles in the order of their bits y_k x_k ... y_0 x_0.
 *
 * Each step halves a piece of 2 `side` columns, of which the domain has the first `rows` rows: a triangle into a
 * triangle, a square and a triangle, a square into four. The bottom rows of a piece may be missing, never its columns,
 * so the size of each part is known, and no block is wasted for any n.
 *
 * Shape   T(n) blocks in one dimension
 * Exact   for n <= 92681, as long as T(n) fits in 32 bits (tests: tiles_come_in_z_order, far_tiles_have_their_place)
 * Source  Morton 1966, on the tiles of a triangle
 */
TD_FN td_tile td_morton_map(const td_launch *launch, td_dim3 block)
{
    uint32_t index = block.x, x = 0, y = 0, rows = launch->n;
    bool is_square = false;
    for (uint32_t side = launch->param[0]; side > 0; side /= 2) {
        const uint32_t top = rows < side ? rows : side;
        const uint32_t upper = is_square ? 2 * side * top : td_triangle_32(top);
        const bool is_below = index >= upper;
        index -= is_below ? upper : 0;
        y += is_below ? side : 0;
        rows = is_below ? rows - side : top;
        /* an upper triangle has nothing to its right */
        const uint32_t left = side * rows;
        const bool is_right = (is_square || is_below) && index >= left;
        index -= is_right ? left : 0;
        x += is_right ? side : 0;
        is_square = is_square || (is_below && !is_right);
    }
    return td_tile_at(x, y, true);
}

TD_DESCRIPTOR td_strategy td_morton = {
    .id = TD_STRATEGY_morton,
    .name = "morton",
    .summary = "Z order on the triangle, a step per bit of n: for caches, no wasted block",
    .source = "Morton 1966",
    .exact_n = 92681,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_morton_plan,
    .block_map = td_morton_map,
};

#endif
