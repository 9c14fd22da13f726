/*
 * gpumaps - x rsqrt(x) - 0.4999 with x = 2 L + 1/4: the reciprocal root, and a small number in place of a repair.
 *
 * Found in    https://github.com/crinavar/gpumaps, 2-simplex, the authors' program of the map lambda; ltm-r here
 * Arithmetic  float32; on a GPU the root is up to 2 ulp off
 * Repair      one step in integers: ltm-i
 */
#include "strategies/own.h"

TD_FN td_pair td_gpumaps_pair(uint64_t index, uint32_t n)
{
    const float x = fmaf(2.0f, (float)index, 0.25f);
    td_pair at;
    at.row = (uint32_t)fmaf(x, td_rsqrtf(x), -0.4999f);
    at.col = (uint32_t)index - (at.row * (at.row + 1) >> 1);
    return at;
}
