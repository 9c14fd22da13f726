/* ltm-x - the lower-triangular map with the correctly rounded square root; and ltm-x-rev, its reverse. */
#ifndef TD_STRATEGIES_LTM_X_H
#define TD_STRATEGIES_LTM_X_H

#include "ltm_square.h"

/* The row i of tile number L. */
TD_FN uint32_t td_ltm_x_row(uint32_t index)
{
    return (uint32_t)(sqrtf(fmaf(2.0f, (float)index, 0.25f)) - 0.5f);
}

/*
 * td_ltm_x_map - i = floor(sqrtf(2 L + 1/4) - 1/2), j = L - T(i).
 *
 * Shape   n' x n' blocks, n' = ceil(sqrt(T(n)))
 * Exact   for n <= 4607 tiles per side: beyond, 2 L + 1/4 rounds up over the next row's start
 *         (test: maps_are_exact_up_to_their_range)
 * Source  Navarro and Hitschfeld, triangular domains, equations (8), (9); LTM-X of section III.A
 */
TD_FN td_tile td_ltm_x_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t index = td_ltm_square_index(launch, block);
    return td_ltm_square_tile(launch, index, td_ltm_x_row(index));
}

TD_DESCRIPTOR td_strategy td_ltm_x = {
    .id = TD_STRATEGY_ltm_x,
    .name = "ltm-x",
    .summary = "lower-triangular map, sqrtf",
    .source = "Navarro & Hitschfeld, equations (8), (9)",
    .exact_n = 4607,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    TD_LTM_SQUARE_FACTS,
    .block_map = td_ltm_x_map,
};

/*
 * td_ltm_x_rev_map - tile L = T(n) - 1 - (by n' + bx) of ltm-x, long rows first: the effect of the order, not of the
 * root.
 *
 * Shape, exact  as ltm-x (test: maps_are_exact_up_to_their_range)
 * Source        ltm-x; the order is ours
 */
TD_FN td_tile td_ltm_x_rev_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t index = td_ltm_square_index_back(launch, block);
    return td_ltm_square_tile(launch, index, td_ltm_x_row(index));
}

TD_DESCRIPTOR td_strategy td_ltm_x_rev = {
    .id = TD_STRATEGY_ltm_x_rev,
    .name = "ltm-x-rev",
    .summary = "ltm-x, counted from the last tile back",
    .source = "ltm-x in reverse order",
    .exact_n = 4607,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    TD_LTM_SQUARE_FACTS,
    .block_map = td_ltm_x_rev_map,
};

#endif
