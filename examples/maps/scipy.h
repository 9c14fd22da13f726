/*
 * scipy - the place in scipy's condensed distance matrix, turned back. The pair i < j of n + 1 is tile (j - 1, i).
 *
 * Found in    https://stackoverflow.com/a/36867493, copied into many programs
 * Arithmetic  double; whole numbers below are exact in Python, here 64 bits
 * Repair      none needed below 2^53; counted from the end, the row needs no large differences
 */
#include "strategies/own.h"

TD_FN td_pair td_scipy_pair(uint64_t index, uint32_t n)
{
    const int64_t m = (int64_t)n + 1, k = (int64_t)index;
    const double root = sqrt((double)(4 * m * m - 4 * m - 7 - 8 * k));
    const int64_t i = (int64_t)ceil(0.5 * (2.0 * (double)m - 1.0 - root) - 1.0);
    const int64_t before = (i + 1) * (m - 2 - i) + (i + 1) * (i + 2) / 2;
    td_pair at;
    at.row = (uint32_t)(m - before + k - 1);
    at.col = (uint32_t)i;
    return at;
}
