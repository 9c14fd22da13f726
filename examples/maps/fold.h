/*
 * fold - row i and row n - 1 - i together have n + 1 tiles: one division instead of a root.
 *
 * Found in    https://github.com/scikit-bio/scikit-bio/pull/2558; Meta's Triton folds the rows of causal attention
 * Arithmetic  integers, one division by n + 1
 * Repair      none needed; with a grid in two dimensions there is no division, either: rb-b
 */
#include "strategies/own.h"

TD_FN td_pair td_fold_pair(uint64_t index, uint32_t n)
{
    const uint32_t row = (uint32_t)(index / ((uint64_t)n + 1)),
                   place = (uint32_t)(index % ((uint64_t)n + 1));
    const bool is_first = place <= row;
    td_pair at;
    at.row = is_first ? row : n - 1 - row;
    at.col = is_first ? place : place - row - 1;
    return at;
}
