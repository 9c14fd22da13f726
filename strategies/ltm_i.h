/* ltm-i - the lower-triangular map made exact: a float guess and an integer repair, no wasted block. */
#ifndef TD_STRATEGIES_LTM_I_H
#define TD_STRATEGIES_LTM_I_H

#include "triangle.h"

/*
 * td_ltm_i_map - an element of the packed triangle of tiles, counted back from the last one: see td_ltm_square_index.
 *
 * Shape   T(n) blocks in one dimension
 * Exact   for n <= 92681, as long as T(n) fits in 32 bits (test: maps_are_exact_up_to_their_range)
 * Source  as ltm-r; the repair, which its conclusion asks for, and the one-dimensional grid are ours
 */
TD_FN td_tile td_ltm_i_map(const td_launch *launch, td_dim3 block)
{
    return td_triangle_row(launch->param[0] - block.x);
}

TD_DESCRIPTOR td_strategy td_ltm_i = {
    .id = TD_STRATEGY_ltm_i,
    .name = "ltm-i",
    .summary = "lower-triangular map, repaired in integers: exact, no wasted block",
    .source = "ltm-r with an integer repair",
    .exact_n = 92681,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .is_stand_in = true,
    .plan = td_triangle_plan,
    .block_map = td_ltm_i_map,
};

#endif
