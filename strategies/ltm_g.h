/* ltm-g - the lower-triangular map in groups of rows, so that blocks that run at once share rows and columns. */
#ifndef TD_STRATEGIES_LTM_G_H
#define TD_STRATEGIES_LTM_G_H

#include "triangle.h"

/*
 * td_ltm_g_map - an element of the triangle in groups of param[1] rows, counted back from the last one as in ltm-i. A
 * group has the squares left of its triangle, column by column, and then the triangle, row by row.
 *
 * A group has whole rows, so T(first) tiles are before its first row `first`, as they are where rows follow one
 * another. Hence the row that an index has there is in the same group. Groups of one row are ltm-i.
 *
 * Shape   T(n) blocks in one dimension
 * Exact   for n <= 92681, as td_triangle_row is; all else is whole numbers (tests: grouped_rows_come_in_order,
 *         far_tiles_have_their_place)
 * Source  ltm-i, with the order that products of matrices give their tiles for the sake of the cache
 */
TD_FN td_tile td_ltm_g_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t index = launch->param[0] - block.x, group = launch->param[1];
    const uint32_t row = td_triangle_row(index).y, first = row - row % group;
    const uint32_t below = launch->n - first, rows = below < group ? below : group;
    const uint32_t place = index - td_triangle_32(first), squares = first * rows;
    if (place < squares) {
        return td_tile_at(place / rows, first + place % rows, true);
    }
    const td_tile tile = td_triangle_row(place - squares);
    return td_tile_at(first + tile.x, first + tile.y, true);
}

TD_DESCRIPTOR td_strategy td_ltm_g = {
    .id = TD_STRATEGY_ltm_g,
    .name = "ltm-g",
    .summary = "ltm-i in groups of rows, a group column by column (--set group=8): for caches",
    .source = "ltm-i, with tiles in the order of matrix products",
    .exact_n = 92681,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .usual_group = TD_USUAL_GROUP,
    .plan = td_triangle_plan,
    .block_map = td_ltm_g_map,
};

#endif
