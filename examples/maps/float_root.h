/*
 * float_root - the row as the positive root of i (i + 1) / 2 = L, in float32, as most answers on the Internet have it.
 *
 * Found in    the usual answer to "linear index to lower triangle", such as https://forums.developer.nvidia.com/t/24931
 * Arithmetic  float32: 8 L + 1 is rounded from L = 2^21 on, and the last L of a long row gets the root of the next row
 * Repair      one step in integers, up or down, as ltm-i does
 */
#include "strategies/own.h"

TD_FN td_pair td_float_root_pair(uint64_t index, uint32_t n)
{
    td_pair at;
    at.row = (uint32_t)((sqrtf(8.0f * (float)index + 1.0f) - 1.0f) / 2.0f);
    at.col = (uint32_t)index - at.row * (at.row + 1) / 2;
    return at;
}
