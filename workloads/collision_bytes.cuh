/*
 * collision_bytes.cuh - spheres as bytes, rounded outwards, so that one instruction can show that two spheres certainly
 * do not touch.
 */
#ifndef TD_WORKLOADS_COLLISION_BYTES_CUH
#define TD_WORKLOADS_COLLISION_BYTES_CUH

#include "collision.h"

/* A sphere as bytes x, y, z, r, and half of |c|^2 - r^2 of these, rounded down; a column stores the negative half. */
struct td_table_bytes {
    int32_t sphere, half;
};

/* The middle of a tile's centres, and byte units per unit of length; 0 where bytes cannot tell the spheres apart. */
struct td_table_scale {
    float x, y, z;
    float per_unit;
};

/* A float as an integer with the same order, and back. */
__device__ inline int32_t td_table_ordered(float v)
{
    const int32_t bits = (int32_t)__float_as_uint(v);
    return bits ^ (bits >> 31 & 0x7fffffff);
}

__device__ inline float td_table_unordered(int32_t v)
{
    return __uint_as_float((uint32_t)(v ^ (v >> 31 & 0x7fffffff)));
}

__device__ inline void td_table_widen(float (&most)[7], float4 s)
{
    const float of[7] = {s.x, s.y, s.z, -s.x, -s.y, -s.z, s.w};
#pragma unroll
    for (int k = 0; k < 7; k++) {
        most[k] = fmaxf(most[k], of[k]);
    }
}

/* The scale at which all coordinates, measured from the middle, and all radii are at most 125 units. */
__device__ inline td_table_scale td_table_scale_of(const int32_t *most)
{
    float middle[3], size = td_table_unordered(most[6]);
#pragma unroll
    for (int k = 0; k < 3; k++) {
        const float high = td_table_unordered(most[k]), low = -td_table_unordered(most[k + 3]);
        middle[k] = 0.5f * low + 0.5f * high;
        size = fmaxf(size, fmaxf(high - middle[k], middle[k] - low));
    }
    const bool fits = size > 0x1p-40f && size < 0x1p60f;
    return {middle[0], middle[1], middle[2], fits ? 125.0f / size : 0.0f};
}

/*
 * A sphere as bytes. Each coordinate moves by at most 0.5001 units, so the distance between two spheres' bytes is at
 * most 1.7325 units more than the distance that td_spheres_touch compares, its rounding included. A radius is 0.867 to
 * 2 units too large: if the bytes of two spheres do not touch, the spheres do not.
 */
__device__ inline td_table_bytes td_table_bytes_of(float4 s, const td_table_scale &scale)
{
    const uint32_t x = __float_as_uint(fmaf(s.x - scale.x, scale.per_unit, 0x1.8p23f));
    const uint32_t y = __float_as_uint(fmaf(s.y - scale.y, scale.per_unit, 0x1.8p23f));
    const uint32_t z = __float_as_uint(fmaf(s.z - scale.z, scale.per_unit, 0x1.8p23f));
    const uint32_t r = __float_as_uint(fmaf(s.w, scale.per_unit, 1.367f) + 0x1.8p23f);
    const uint32_t xy = td_permute<0x0040>(x, y), zr = td_permute<0x0040>(z, r);
    const int32_t sphere = (int32_t)td_permute<0x5410>(xy, zr), radius = (int32_t)(r & 0xff);
    return {sphere, (td_dot4(sphere, sphere, 0) - 2 * radius * radius) >> 1};
}

#endif
