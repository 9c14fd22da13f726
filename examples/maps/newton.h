/*
 * newton - the upper triangle of the Delassus matrix of Newton's solver Kamino, with its diagonal: tile (j, i).
 *
 * Found in    https://github.com/newton-physics/newton/pull/2600, delassus.py
 * Arithmetic  float32 root of a difference in int32, halved as an integer; above 2^24 from n = 2,048 on
 * Reported    a review warns of sizes "in the low-thousands": https://github.com/newton-physics/newton/pull/2600
 * Repair      count from the last pair: utm-b
 */
#include "strategies/own.h"

TD_FN td_pair td_newton_pair(uint64_t index, uint32_t n)
{
    const uint32_t end = 2 * n + 1, tid = (uint32_t)index;
    const float square = (float)(int32_t)(end * end - 8 * tid);
    const int32_t i = (int32_t)((float)end - sqrtf(fmaxf(square, 0.0f))) / 2;
    td_pair at;
    at.row = tid - (uint32_t)i * n + (uint32_t)(i * (i + 1)) / 2;
    at.col = (uint32_t)i;
    return at;
}
