/*
 * torch_pdist - the pairs i < j of torch.pdist: a root in double, from which 1 is taken for safety. Tile (j - 1, i).
 *
 * Found in    https://github.com/pytorch/pytorch, aten/src/ATen/native/cuda/DistanceKernel.cu
 * Arithmetic  double and int64; 2 k and the square are far below 2^53
 * Repair      none needed
 */
#include "strategies/own.h"

TD_FN td_pair td_torch_pdist_pair(uint64_t index, uint32_t n)
{
    const int64_t m = (int64_t)n + 1, k = (int64_t)index;
    const double end = (double)m - 0.5;
    const int64_t i = (int64_t)(end - sqrt(end * end - 1.0 - 2.0 * (double)k));
    td_pair at;
    at.row = (uint32_t)(k - m * i + i * (i + 1) / 2 + i);
    at.col = (uint32_t)i;
    return at;
}
