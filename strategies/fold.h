/* fold.h - the fold of a triangle to a rectangle, for threads (rb) and for blocks (rb-b). */
#ifndef TD_STRATEGIES_FOLD_H
#define TD_STRATEGIES_FOLD_H

#include "strategy.h"

/* Width and height of the rectangle that holds the triangle of side n: n/2 x (n + 1), or (n + 1)/2 x n. */
static inline td_dim3 td_fold_shape(uint32_t n)
{
    const td_dim3 shape = {(n + 1) / 2, n + (n % 2 == 0), 1};
    return shape;
}

/* Set the launch's integers for td_fold: 1 for an odd n, the point of reflection, and the width. */
static inline void td_fold_setup(uint32_t n, td_launch *launch)
{
    launch->param[0] = n % 2;
    launch->param[1] = n % 2 == 0 ? n - 1 : n;
    launch->param[2] = td_fold_shape(n).x;
}

/*
 * td_fold - element (x, y) of the rectangle as an element (row y, column x) of the triangle of side n.
 *
 * Even n: y > x ? (y - 1, x) : (n - 1 - y, n - 1 - x). Odd n: y >= x ? (y, x) : (n - 1 - y, n - x), which is the same
 * formula one row further down, reflected at n instead of n - 1. Input: x and y inside the rectangle.
 */
TD_FN td_tile td_fold(const td_launch *launch, uint32_t x, uint32_t y)
{
    const uint32_t down = y + launch->param[0];
    const bool straight = down > x;
    return td_tile_at(straight ? x : launch->param[1] - x,
                      straight ? down - 1 : launch->param[1] - down, true);
}

#endif
