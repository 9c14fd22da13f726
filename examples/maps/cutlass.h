/*
 * cutlass - ceil(sqrt(2 t + 2.25) - 0.5) - 1, the tiles of CUTLASS' grouped rank-2k product.
 *
 * Found in    https://github.com/NVIDIA/cutlass, include/cutlass/gemm/kernel/rank_2k_grouped_problem_visitor.h
 * Arithmetic  double root, int32 products: 2 t is beyond 2^31 from 46,341 tiles a side on
 * Repair      2.0 * t in place of 2 * t, and unsigned or 64-bit products
 */
#include "strategies/own.h"

TD_FN td_pair td_cutlass_pair(uint64_t index, uint32_t n)
{
    const double square = (double)(int32_t)(2 * (uint32_t)index) + 2.25;
    const uint32_t row = (uint32_t)(int32_t)fmax(ceil(sqrt(square) - 0.5), 0.0) - 1;
    td_pair at;
    at.row = row;
    at.col = (uint32_t)((int32_t)index - (int32_t)((row + 1) * row) / 2);
    return at;
}
