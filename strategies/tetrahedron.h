/*
 * tetrahedron.h - the arithmetic of tetrahedral numbers.
 *
 * Te(z) = z (z + 1) (z + 2) / 6 counts the elements of the slices before slice z of {x + y <= z};
 * slice z has T(z + 1).
 */
#ifndef TD_STRATEGIES_TETRAHEDRON_H
#define TD_STRATEGIES_TETRAHEDRON_H

#include "triangle.h"

/* The slice that an index lies in, and the place in that slice. */
typedef struct td_slice {
    uint32_t z;
    uint32_t rest;
} td_slice;

/*
 * td_slice_repair - correct a guessed slice by one step down or up, as the remainder says. T(z) (z + 2) is a multiple
 * of 3: multiplying by the inverse of 3 modulo 2^32 divides it, even if the product itself has wrapped.
 *
 * Input   index < Te(2952), guess within one of the slice
 * Exact   always; the remainder wraps modulo 2^32 as signed, which is exact since it is small
 *         (test: repaired_slice_is_exact)
 */
TD_FN td_slice td_slice_repair(uint32_t index, uint32_t guess)
{
    const uint32_t before = td_triangle_32(guess); /* T(guess): elements of slice guess - 1 */
    const uint32_t here = before + guess + 1;      /* T(guess + 1) */
    const int32_t rest = (int32_t)(index - before * (guess + 2) * 0xaaaaaaabu);
    td_slice slice;
    slice.z = guess;
    slice.rest = (uint32_t)rest;
    if (rest < 0) {
        slice.rest += before;
        slice.z -= 1;
    } else if (rest >= (int32_t)here) {
        slice.rest -= here;
        slice.z += 1;
    }
    return slice;
}

/*
 * td_slice_of - slice z = max{Te(z) <= index} and the remainder index - Te(z), exactly.
 *
 * 6 Te(z) = (z + 1)^3 - (z + 1), so that z + 1 is the cube root of 6 index, give or take 1/3 and its rounding.
 *
 * Exact   for index < Te(2952) (test: slices_are_exact_up_to_their_range)
 */
TD_FN td_slice td_slice_of(uint32_t index)
{
    const float root = td_cbrtf(6.0f * (float)index);
    return td_slice_repair(index, (uint32_t)fmaxf(root - 0.9f, 0.0f));
}

#endif
