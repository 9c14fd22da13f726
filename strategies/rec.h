/* rec - the recursive partition: a pass of small squares along the diagonal, then levels of larger ones. */
#ifndef TD_STRATEGIES_REC_H
#define TD_STRATEGIES_REC_H

#include "triangle.h"

/* Diagonal squares of at most this side [tiles]; n is padded up to m 2^k. */
#define TD_REC_LARGEST_M 32u

/*
 * n = m 2^k: 2^k diagonal squares of side m, then for level l = 0..k-1 the 2^(k-1-l) squares of side m 2^l
 * below them. k is the smallest with m <= 32, then grows as long as that adds no padding and leaves m > 8:
 * smaller diagonal squares waste less.
 *
 * The grid's z counts the squares, which the paper counts along x: the blocks are the same, without a division to find
 * the square.
 */
static inline void td_rec_plan(const td_domain *domain, td_plan *plan)
{
    const uint32_t n = domain->tiles;
    uint32_t k = 0;
    while (td_ceil_div(n, 1u << k) > TD_REC_LARGEST_M) {
        k++;
    }
    const uint32_t padded = td_ceil_div(n, 1u << k) << k;
    while (td_ceil_div(n, 2u << k) << (k + 1) == padded &&
           padded >> (k + 1) > TD_REC_LARGEST_M / 4) {
        k++;
    }
    const uint32_t m = padded >> k;
    /* largest first: all are launched at once, and the small ones fill the tail */
    for (uint32_t level = k; level > 0; level--) {
        const uint32_t side = m << (level - 1);
        td_launch launch = td_launch_over(domain, side, side, 1u << (k - level));
        launch.param[0] = 2 * side;
        launch.param[1] = side;
        td_plan_add(plan, launch);
    }
    td_launch diagonal = td_launch_over(domain, m, m, 1u << k);
    diagonal.param[0] = m;
    td_plan_add(plan, diagonal);
}

/*
 * td_rec_map - block (x, y) of square z: squares are param[0] apart on the diagonal, param[1] below it.
 *
 * Shape   (m, m, 2^k) and (m 2^l, m 2^l, 2^(k-1-l)) blocks; 2^k m (m - 1) / 2 and the padding wasted
 * Exact   for every n up to 2^20
 * Source  Ries et al. 2009, as in Navarro and Hitschfeld, triangular domains, section III.B
 */
TD_FN td_tile td_rec_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t corner = block.z * launch->param[0];
    const uint32_t x = corner + block.x, y = corner + launch->param[1] + block.y;
    return td_tile_at(x, y, x <= y && y < launch->n);
}

TD_DESCRIPTOR td_strategy td_rec = {
    .id = TD_STRATEGY_rec,
    .name = "rec",
    .summary = "recursive partition: independent levels of squares",
    .source = "Ries et al. 2009",
    .exact_n = 1048576,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .in_paper = true,
    .few_wasted = true,
    .plan = td_rec_plan,
    .block_map = td_rec_map,
};

#endif
