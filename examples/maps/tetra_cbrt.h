/*
 * tetra_cbrt - triples: the slice is the cube root of 6 L, or one less; the row follows as in float_root.
 *
 * Found in    the usual answer for combinations of three
 * Arithmetic  float32, cbrtf at most 1 ulp off; one step down in integers, which the formula needs
 * Repair      a step up, too: ltm-tetra
 */
#include "strategies/own.h"

TD_FN td_triple td_tetra_cbrt_triple(uint64_t index, uint32_t n)
{
    td_triple at;
    at.i = (uint32_t)cbrtf(6.0f * (float)index);
    at.i -= td_tetrahedron(at.i) > index;
    const uint32_t rest = (uint32_t)(index - td_tetrahedron(at.i));
    at.j = (uint32_t)((sqrtf(8.0f * (float)rest + 1.0f) - 1.0f) / 2.0f);
    at.k = rest - at.j * (at.j + 1) / 2;
    return at;
}
