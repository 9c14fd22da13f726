/* ltm-n - the lower-triangular map with three Newton steps from a guess made of the float's bits; and ltm-n-rev, its
 * reverse. */
#ifndef TD_STRATEGIES_LTM_N_H
#define TD_STRATEGIES_LTM_N_H

#include <string.h>

#include "ltm_square.h"

/* The guess: halving the exponent of a float is an integer shift of its bits. */
TD_FN float td_ltm_n_guess(float x)
{
    uint32_t bits;
    float guess;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5f3759dfu - (bits >> 1);
    memcpy(&guess, &bits, sizeof guess);
    return guess;
}

/*
 * The row i of tile number L. The fused multiply-adds are explicit, so that both engines round alike. The last one adds
 * -1/2 and epsilon in two steps: if both are fused at once, the map fails from n = 1528 on.
 */
TD_FN uint32_t td_ltm_n_row(uint32_t index)
{
    const float x = fmaf(2.0f, (float)index, 0.25f);
    const float half = 0.5f * x;
    float y = td_ltm_n_guess(x);
    for (int step = 0; step < 3; step++) {
        y = y * fmaf(-(half * y), y, 1.5f);
    }
    return (uint32_t)(fmaf(x, y, -0.5f) + 1e-4f);
}

/*
 * td_ltm_n_map - i = floor(newton(2 L + 1/4) - 1/2 + 10^-4), j = L - T(i).
 *
 * Shape   n' x n' blocks, n' = ceil(sqrt(T(n)))
 * Exact   for n <= 1949 tiles per side (test: maps_are_exact_up_to_their_range)
 * Source  Navarro and Hitschfeld, triangular domains, equations (8), (9); LTM-N of section III.A
 */
TD_FN td_tile td_ltm_n_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t index = td_ltm_square_index(launch, block);
    return td_ltm_square_tile(launch, index, td_ltm_n_row(index));
}

TD_DESCRIPTOR td_strategy td_ltm_n = {
    .id = TD_STRATEGY_ltm_n,
    .name = "ltm-n",
    .summary = "lower-triangular map, three Newton steps",
    .source = "Navarro & Hitschfeld, equations (8), (9), section III.A",
    .exact_n = 1949,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    TD_LTM_SQUARE_FACTS,
    .block_map = td_ltm_n_map,
};

/*
 * td_ltm_n_rev_map - tile L = T(n) - 1 - (by n' + bx) of ltm-n, long rows first: the effect of the order, not of the
 * root.
 *
 * Shape, exact  as ltm-n (test: maps_are_exact_up_to_their_range)
 * Source        ltm-n; the order is ours
 */
TD_FN td_tile td_ltm_n_rev_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t index = td_ltm_square_index_back(launch, block);
    return td_ltm_square_tile(launch, index, td_ltm_n_row(index));
}

TD_DESCRIPTOR td_strategy td_ltm_n_rev = {
    .id = TD_STRATEGY_ltm_n_rev,
    .name = "ltm-n-rev",
    .summary = "ltm-n, counted from the last tile back",
    .source = "ltm-n in reverse order",
    .exact_n = 1949,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    TD_LTM_SQUARE_FACTS,
    .block_map = td_ltm_n_rev_map,
};

#endif
