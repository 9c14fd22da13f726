/*
 * own.h - all that a map needs in order to be one small file: `tribench --strategy ./mine.h`.
 *
 * The least form is one function: td_NAME_pair, or td_NAME_triple, which turns the number of a tile into its place. Or
 * td_NAME_map, from the block of a grid of n x n blocks to its tile, as those of the bounding box. The full form is
 * that of the headers of this folder: td_NAME_plan, td_NAME_map and a descriptor td_NAME, in which everything but
 * .dimension, .plan and .block_map or .thread_map may be left out.
 */
#ifndef TD_STRATEGIES_OWN_H
#define TD_STRATEGIES_OWN_H

#include "strategy.h"

/* A tile of a triangle: col <= row < n. */
typedef struct td_pair {
    uint32_t row, col;
} td_pair;

/* A tile of a tetrahedron: k <= j <= i < n. As a td_tile it has x = k, y = j - k and z = i. */
typedef struct td_triple {
    uint32_t i, j, k;
} td_triple;

/* The tile with a number from 0 to T(n) - 1, or to n (n + 1) (n + 2) / 6 - 1, in any order. */
typedef td_pair td_pair_fn(uint64_t index, uint32_t n);
typedef td_triple td_triple_fn(uint64_t index, uint32_t n);

#endif
