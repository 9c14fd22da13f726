/* ltm_square.h - what ltm-x, ltm-n and ltm-r share: a balanced square grid numbered row by row. */
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

/* Rows of a grid as wide as that of so many blocks, and the rest of a row. L is counted from `end` back. */
static inline void td_ltm_square_range(const td_domain *domain, uint64_t first, uint64_t end,
                                       td_plan *plan)
{
    const uint64_t blocks = end - first;
    uint32_t side = (uint32_t)sqrt((double)blocks);
    while ((uint64_t)side * side < blocks) {
        side++;
    }
    for (uint64_t left = blocks; left > 0;) {
        const uint32_t width = left < side ? (uint32_t)left : side;
        td_launch launch = td_launch_over(domain, width, (uint32_t)(left / width), 1);
        launch.param[0] = width;
        launch.param[1] = (uint32_t)(first + left);
        td_plan_add(plan, launch);
        left -= left / width * width;
    }
}

/*
 * L, the number of the block, counted from the last tile back; blocks left over wrap to L >= T(n).
 *
 * Long rows first: what a row of the triangle shares is then in every SM's cache from the columns of rows before
 * it. In the paper's order each new row is a miss that all SMs make at once (H200, edm1: 1.33 ms for 1.12).
 */
TD_FN uint32_t td_ltm_square_index(const td_launch *launch, td_dim3 block)
{
    return launch->param[1] - 1 - (block.y * launch->param[0] + block.x);
}

/* Row known, column by equation (9): j = L - i (i + 1) / 2. The product has 32 bits for every n in the maps' range. */
TD_FN td_tile td_ltm_square_tile(const td_launch *launch, uint32_t index, uint32_t row)
{
    td_tile tile;
    tile.y = row;
    tile.x = index - row * (row + 1) / 2;
    tile.z = 0;
    tile.active = index < launch->param[1];
    return tile;
}

#endif
