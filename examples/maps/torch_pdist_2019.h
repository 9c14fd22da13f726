/*
 * torch_pdist_2019 - torch_pdist between two mends: the root is in double, the number of a pair still an int.
 *
 * Found in    https://github.com/pytorch/pytorch/pull/31593, which made it int64
 * Arithmetic  double, under it 2 k in int32: beyond 2^31 from N = 46,342 on, where k itself is not
 * Reported    an illegal memory access at N = 46,342, none at 46,341:
 *             https://github.com/pytorch/pytorch/issues/30583
 * Repair      2.0 * k in place of 2 * k
 */
#include "strategies/own.h"

TD_FN td_pair td_torch_pdist_2019_pair(uint64_t index, uint32_t n)
{
    const int64_t m = (int64_t)n + 1, k = (int64_t)index;
    const double end = (double)m - 0.5;
    const int64_t i = (int64_t)(end - sqrt(end * end - (double)(int32_t)(2 * (uint32_t)k) - 1.0));
    td_pair at;
    at.row = (uint32_t)(k - m * i + i * (i + 1) / 2 + i);
    at.col = (uint32_t)i;
    return at;
}
