/* fold.h - the fold of a triangle to a rectangle, for threads (rb) and for blocks (rb-b). */
#ifndef TD_FOLD_H
#define TD_FOLD_H

#include "strategy.h"

/* Width and height of the rectangle that holds the triangle of side n: n/2 x (n + 1), or (n + 1)/2 x n. */
static inline td_dim3 td_fold_shape(uint32_t n)
{
    const td_dim3 shape = {(n + 1) / 2, n + (n % 2 == 0), 1};
    return shape;
}

/* The launch's integers for td_fold: 1 for an even n, and the rectangle. */
static inline void td_fold_setup(uint32_t n, td_launch *launch)
{
    const td_dim3 shape = td_fold_shape(n);
    launch->param[0] = n % 2 == 0;
    launch->param[1] = shape.x;
    launch->param[2] = shape.y;
}

/*
 * td_fold - element (x, y) of the rectangle as an element (row y, column x) of the triangle of side n.
 *
 * Even n: y > x ? (y - 1, x) : (n - 1 - y, n - 1 - x). Odd n: y >= x ? (y, x) : (n - 1 - y, n - x).
 * With even = 1 or 0 both are one formula. Input: x and y inside of the rectangle.
 */
TD_FN td_tile td_fold(const td_launch *launch, uint32_t x, uint32_t y)
{
    const uint32_t even = launch->param[0];
    const bool straight = y >= x + even;
    td_tile tile;
    tile.y = straight ? y - even : launch->n - 1 - y;
    tile.x = straight ? x : launch->n - even - x;
    tile.z = 0;
    tile.active = true;
    return tile;
}

#endif
