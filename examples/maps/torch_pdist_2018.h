/*
 * torch_pdist_2018 - the same in float32, as torch.pdist had it at first: illegal accesses at N = 10,000.
 *
 * Found in    https://github.com/pytorch/pytorch/issues/15511; torch_pdist is what followed
 * Arithmetic  float32: the square of n, above 2^24 from n = 4,096 on, less 2 k + 1
 * Reported    an illegal memory access at N = 10,000: https://github.com/pytorch/pytorch/issues/15511
 * Repair      double, or a step in integers
 */
#include "strategies/own.h"

TD_FN td_pair td_torch_pdist_2018_pair(uint64_t index, uint32_t n)
{
    const int64_t m = (int64_t)n + 1, k = (int64_t)index;
    const float end = (float)m - 0.5f;
    const float square = td_product(end, end) - (float)(2 * k) - 1.0f;
    const int64_t i = (int64_t)(end - sqrtf(fmaxf(square, 0.0f)));
    td_pair at;
    at.row = (uint32_t)(k - m * i + i * (i + 1) / 2 + i);
    at.col = (uint32_t)i;
    return at;
}
