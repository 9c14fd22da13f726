/*
 * approx_down - an approximate root with half of a repair: a row that is too large is corrected, none that is too
 * small.
 *
 * Found in    NNPOps repairs so; if it were compiled for fast arithmetic, its root would be this one
 * Arithmetic  float32 root, uint32 products
 * Repair      the other half: a step up if the column is beyond the row
 */
#include "strategies/own.h"

TD_FN td_pair td_approx_down_pair(uint64_t index, uint32_t n)
{
    const float x = fmaf(2.0f, (float)index, 0.25f);
    td_pair at;
    at.row = (uint32_t)fmaf(x, td_rsqrtf(x), -0.5f);
    at.row -= td_triangle(at.row) > index;
    at.col = (uint32_t)(index - td_triangle(at.row));
    return at;
}
