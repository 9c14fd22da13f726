/*
 * openmm_plain - openmm without its repair: what the repair is there for.
 *
 * Found in    the first line of openmm
 * Arithmetic  float32 and int32
 * Repair      the step of openmm, or utm-b
 */
#include "strategies/own.h"

TD_FN td_pair td_openmm_plain_pair(uint64_t index, uint32_t n)
{
    const float end = (float)n + 0.5f,
                square = td_product(end, end) - (float)(int32_t)(2 * (uint32_t)index);
    uint32_t y = (uint32_t)(int32_t)floorf(end - sqrtf(fmaxf(square, 0.0f)));
    uint32_t x = (uint32_t)index - y * n + y * (y + 1) / 2;
    td_pair at;
    at.row = x;
    at.col = y;
    return at;
}
