/*
 * unifrac - stripes: number k is paired with k + s + 1 modulo the number of samples, which is n + 1. Tile (a - 1, b).
 *
 * Found in    https://github.com/biocore/unifrac-binaries, src/unifrac_task_impl.hpp
 * Arithmetic  integers, no root: one division by n + 1. If n + 1 is even, half of the last stripe is left out
 * Repair      none needed; with a grid in two dimensions there is no division, either: cyclic
 */
#include "strategies/own.h"

TD_FN td_pair td_unifrac_pair(uint64_t index, uint32_t n)
{
    const uint32_t samples = n + 1, stripe = (uint32_t)(index / samples),
                   k = (uint32_t)(index % samples);
    const uint32_t other = (uint32_t)(((uint64_t)k + stripe + 1) % samples);
    td_pair at;
    at.row = (other > k ? other : k) - 1;
    at.col = other > k ? k : other;
    return at;
}
