/* ltm-r-rev - ltm-r with its blocks counted back from the last tile: the effect of the order, not of the root. */
#ifndef TD_STRATEGIES_LTM_R_REV_H
#define TD_STRATEGIES_LTM_R_REV_H

#include "ltm_r.h"

/*
 * td_ltm_r_rev_map - tile L = T(n) - 1 - (by n' + bx) of ltm-r: long rows first.
 *
 * Shape   n' x n' blocks, n' = ceil(sqrt(T(n)))
 * Exact   as ltm-r (test: maps_are_exact_up_to_their_range)
 * Source  ltm-r; the order is ours
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
    .few_wasted = true,
    .plan = td_ltm_square_plan,
    .plan_range = td_ltm_square_range,
    .block_map = td_ltm_r_rev_map,
};

#endif
