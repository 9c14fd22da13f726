/* half.h - numbers of 16 bits, bf16 and f16, and float32. */
#ifndef TD_WORKLOADS_HALF_H
#define TD_WORKLOADS_HALF_H

#include <math.h>
#include <string.h>

#include "strategies/device.h"

TD_FN float td_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The value of a bf16 or an f16. An f16 whose exponent takes the place of float's is 2^112 times too small; float's
 * largest exponent, too, is of infinity and NaN. */
TD_FN float td_half_number(uint32_t bits, bool is_f16)
{
    const uint32_t not_finite = (bits & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
    const uint32_t wide = (bits & 0x8000) << 16 | (bits & 0x7fff) << 13 | not_finite;
    return is_f16 ? td_float_of_bits(wide) * 0x1p112f : td_float_of_bits(bits << 16);
}

/* The nearest bf16, of two the even one. */
TD_FN uint16_t td_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((value != value ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* The nearest f16 of |value| <= 65504. Adding and taking away a power of two leaves the bits that a subnormal has. */
TD_FN uint16_t td_f16(float value)
{
    uint32_t bits;
    const float magnitude = fabsf(value);
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000;
    if (magnitude < 0x1p-14f) {
        return (uint16_t)(sign | (uint32_t)((magnitude + 0.5f - 0.5f) * 0x1p24f));
    }
    bits &= 0x7fffffff;
    return (uint16_t)(sign | (bits + 0xfff + (bits >> 13 & 1) - (112u << 23)) >> 13);
}

#endif
