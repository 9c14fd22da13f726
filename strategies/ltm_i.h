/* ltm-i - the lower-triangular map made exact: a float guess and an integer repair, no wasted block. */
#ifndef TD_LTM_I_H
#define TD_LTM_I_H

#include "triangle.h"

static inline void td_ltm_i_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_launch_over(domain, (uint32_t)td_triangle(domain->tiles), 1, 1));
}

/*
 * td_ltm_i_map - element x of the packed triangle of tiles.
 *
 * Shape   T(n) blocks in one dimension
 * Exact   for n <= 92681, as long as T(n) has 32 bits (test: maps_are_exact_up_to_their_range)
 * Source  as ltm-r; the repair, which its conclusion asks for, and the one-dimensional grid are ours
 */
TD_FN td_tile td_ltm_i_map(const td_launch *launch, td_dim3 block)
{
    (void)launch;
    return td_triangle_row(block.x);
}

#endif
