/*
 * ltm_square.h - shared by ltm-x, ltm-n, ltm-r and their reverses: a balanced square grid, numbered row by row.
 *
 * The published maps count L up from the first tile; their reverses count it down from the last one. Long rows then
 * come first, and the input that a row of the triangle shares is already in every SM's cache, from the columns of the
 * rows before it. In the published order each new row is a miss that all SMs take at once (H200, edm1: 1.33 ms instead
 * of 1.12 ms).
 */
#ifndef TD_STRATEGIES_LTM_SQUARE_H
#define TD_STRATEGIES_LTM_SQUARE_H

#include "triangle.h"

/* n' x n' blocks with n' = ceil(sqrt(T(n))): at most sqrt(2) n + 2 blocks are left over. */
static inline void td_ltm_square_plan(const td_domain *domain, td_plan *plan)
{
    const uint64_t blocks = td_triangle(domain->tiles);
    uint32_t side = (uint32_t)sqrt((double)blocks);
    while ((uint64_t)side * side < blocks) {
        side++;
    }
    td_launch launch = td_launch_over(domain, side, side, 1);
    launch.param[0] = side;
    launch.param[1] = (uint32_t)blocks;
    td_plan_add(plan, launch);
}

/* L, the number of the block in the published order, from param[2] = 0 on; blocks left over have L >= T(n). */
TD_FN uint32_t td_ltm_square_index(const td_launch *launch, td_dim3 block)
{
    return launch->param[2] + block.y * launch->param[0] + block.x;
}

/* L counted back from the last tile; blocks left over wrap to L >= T(n). */
TD_FN uint32_t td_ltm_square_index_back(const td_launch *launch, td_dim3 block)
{
    return launch->param[1] - 1 - (block.y * launch->param[0] + block.x);
}

/* The tile of a known row; its column by equation (9): j = L - i (i + 1) / 2. The product fits in 32 bits for every
 * n in the maps' range. */
TD_FN td_tile td_ltm_square_tile(const td_launch *launch, uint32_t index, uint32_t row)
{
    return td_tile_at(index - row * (row + 1) / 2, row, index < launch->param[1]);
}

/* Members of the descriptors of these maps. */
#define TD_LTM_SQUARE_FACTS .few_wasted = true, .plan = td_ltm_square_plan

#endif
