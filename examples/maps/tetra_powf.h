/*
 * tetra_powf - the same with powf(6 L, 1/3): neither 1/3 nor the power is exact.
 *
 * Found in    code without cbrtf, such as shaders
 * Arithmetic  float32, powf up to 4 ulp off on a GPU; one step down in integers
 * Repair      cbrtf and a step up: ltm-tetra
 */
#include "strategies/own.h"

TD_FN td_triple td_tetra_powf_triple(uint64_t index, uint32_t n)
{
    td_triple at;
    at.i = (uint32_t)powf(6.0f * (float)index, 1.0f / 3.0f);
    at.i -= td_tetrahedron(at.i) > index;
    const uint32_t rest = (uint32_t)(index - td_tetrahedron(at.i));
    at.j = (uint32_t)((sqrtf(8.0f * (float)rest + 1.0f) - 1.0f) / 2.0f);
    at.k = rest - at.j * (at.j + 1) / 2;
    return at;
}
