/*
 * hash - the pairs i < j of HASH's simulations in a browser. The pair of n + 1 tokens is tile (j - 1, i).
 *
 * Found in    https://github.com/hashintel/hash/pull/9454, pair-selection.ts; Avril and others 2012 have the same root
 * Arithmetic  float32 in WebGPU, which has no double; the square of 2 N - 1 is above 2^24 from N = 2,049 on
 * Reported    exact to 5,792 of them, says the project's own comment: https://github.com/hashintel/hash/pull/9454
 * Repair      a step in integers; or count from the last pair: the numbers under the root then grow from 1
 */
#include "strategies/own.h"

TD_FN td_pair td_hash_pair(uint64_t index, uint32_t n)
{
    const uint32_t x = (uint32_t)index, twice = 2 * (n + 1) - 1;
    const float a = (float)twice, square = td_product(a, a) - 8.0f * (float)x;
    const uint32_t i = (uint32_t)fmaxf(floorf((a - sqrtf(fmaxf(square, 0.0f))) * 0.5f), 0.0f);
    td_pair at;
    at.row = x - i * (twice - i) / 2 + i;
    at.col = i;
    return at;
}
