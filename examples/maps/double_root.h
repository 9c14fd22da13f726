/*
 * double_root - the same root in double. It is exact as long as 8 L + 1 is, and the root of a row's first L is whole.
 *
 * Found in    https://stackoverflow.com/a/40954159, among many
 * Arithmetic  double: exact for L < 2^50
 * Repair      none needed; a GPU with few units for double pays for it
 */
#include "strategies/own.h"

TD_FN td_pair td_double_root_pair(uint64_t index, uint32_t n)
{
    td_pair at;
    at.row = (uint32_t)((sqrt(8.0 * (double)index + 1.0) - 1.0) / 2.0);
    at.col = (uint32_t)(index - td_triangle(at.row));
    return at;
}
