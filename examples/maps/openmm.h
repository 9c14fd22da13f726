/*
 * openmm - the upper triangle row by row, y <= x: the root counts from the end and is repaired once. Tile (x, y).
 *
 * Found in    https://github.com/openmm/openmm, platforms/cuda/src/kernels/nonbonded.cu and eleven more such places
 * Arithmetic  float32 and int32: the square of n + 1/2 is above 2^24 from n = 4,096 on, and from 8,192 on one step is
 *             not enough
 * Repair      count from the last tile, so that the root has nothing to cancel: utm-b
 */
#include "strategies/own.h"

TD_FN td_pair td_openmm_pair(uint64_t index, uint32_t n)
{
    const float end = (float)n + 0.5f,
                square = td_product(end, end) - (float)(int32_t)(2 * (uint32_t)index);
    uint32_t y = (uint32_t)(int32_t)floorf(end - sqrtf(fmaxf(square, 0.0f)));
    uint32_t x = (uint32_t)index - y * n + y * (y + 1) / 2;
    if ((int32_t)x < (int32_t)y || (int32_t)x >= (int32_t)n) {
        y += (int32_t)x < (int32_t)y ? ~0u : 1u;
        x = (uint32_t)index - y * n + y * (y + 1) / 2;
    }
    td_pair at;
    at.row = x;
    at.col = y;
    return at;
}
