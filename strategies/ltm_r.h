/* ltm-r - the lower-triangular map with the GPU's reciprocal square root, the paper's choice; and ltm-r-rev, its
 * reverse. */
#ifndef TD_STRATEGIES_LTM_R_H
#define TD_STRATEGIES_LTM_R_H

#include "ltm_square.h"

/* The row i of tile number L. */
TD_FN uint32_t td_ltm_r_row(uint32_t index)
{
    const float x = fmaf(2.0f, (float)index, 0.25f);
    return (uint32_t)fmaf(x, td_rsqrtf(x), -0.4999f);
}

/*
 * td_ltm_r_map - i = floor(x rsqrtf(x) - 1/2 + 10^-4) with x = 2 L + 1/4, j = L - T(i).
 *
 * Shape   n' x n' blocks, n' = ceil(sqrt(T(n)))
 * Exact   for n <= 1920 tiles per side, the paper's range. CUDA promises 2 ulp for rsqrtf, which by itself guarantees
 *         452; `--check-maps` tests the device at hand. With a correctly rounded rsqrtf the first failure is at n =
 *         3143 (test: maps_are_exact_up_to_their_range)
 * Source  Navarro and Hitschfeld, triangular domains, equations (8), (9), (16); LTM-R of section III.A
 */
TD_FN td_tile td_ltm_r_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t index = td_ltm_square_index(launch, block);
    return td_ltm_square_tile(launch, index, td_ltm_r_row(index));
}

TD_DESCRIPTOR td_strategy td_ltm_r = {
    .id = TD_STRATEGY_ltm_r,
    .name = "ltm-r",
    .alias = "ltm",
    .summary = "lower-triangular map, x rsqrtf(x): the paper's choice",
    .source = "Navarro & Hitschfeld, equations (8), (9), (16)",
    .exact_n = 1920,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .in_paper = true,
    TD_LTM_SQUARE_FACTS,
    .block_map = td_ltm_r_map,
};

/*
 * td_ltm_r_rev_map - tile L = T(n) - 1 - (by n' + bx) of ltm-r, long rows first: the effect of the order, not of the
 * root.
 *
 * Shape, exact  as ltm-r (test: maps_are_exact_up_to_their_range)
 * Source        ltm-r; the order is ours
 */
TD_FN td_tile td_ltm_r_rev_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t index = td_ltm_square_index_back(launch, block);
    return td_ltm_square_tile(launch, index, td_ltm_r_row(index));
}

TD_DESCRIPTOR td_strategy td_ltm_r_rev = {
    .id = TD_STRATEGY_ltm_r_rev,
    .name = "ltm-r-rev",
    .summary = "ltm-r, counted from the last tile back",
    .source = "ltm-r in reverse order",
    .exact_n = 1920,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    TD_LTM_SQUARE_FACTS,
    .block_map = td_ltm_r_rev_map,
};

#endif
