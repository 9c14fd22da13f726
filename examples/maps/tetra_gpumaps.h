/*
 * tetra_gpumaps - triples by the closed root of the cubic, and the row by x rsqrt(x) - 0.4999.
 *
 * Found in    https://github.com/crinavar/gpumaps, 3-simplex, the authors' program of the map lambda in 3D
 * Arithmetic  float32: the square of 27 L is rounded from L = 152 on, and nothing is repaired
 * Repair      steps in integers for slice and row: ltm-tetra
 */
#include "strategies/own.h"

TD_FN td_triple td_tetra_gpumaps_triple(uint64_t index, uint32_t n)
{
    const float w = 27.0f * (float)index;
    const float root = powf(sqrtf(fmaxf(td_product(w, w) - 3.0f, 0.0f)) + w, 1.0f / 3.0f);
    const float slice = root * 0.480749857f + 0.693361274f / root - 1.0f; /* 3^(-2/3), 3^(-1/3) */
    td_triple at;
    at.i =
        index > 0 ? (uint32_t)slice : 0; /* without a root for 0, a GPU's conversion gives 0, too */
    const uint32_t rest = (uint32_t)index - at.i * (at.i + 1) * (at.i + 2) / 6;
    const float x = fmaf(2.0f, (float)rest, 0.25f);
    at.j = (uint32_t)fmaf(x, td_rsqrtf(x), -0.4999f);
    at.k = rest - (at.j * (at.j + 1) >> 1);
    return at;
}
