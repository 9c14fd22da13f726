/*
 * collision_stage.cuh - the spheres of a tile in shared memory, and as bytes, rounded outwards, so that one instruction
 * can show that two spheres certainly do not touch.
 */
#ifndef TD_WORKLOADS_COLLISION_STAGE_CUH
#define TD_WORKLOADS_COLLISION_STAGE_CUH

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

enum {
    TD_TABLE_MOST = 384,    /* the largest side of a tile */
    TD_TABLE_LANE = 8,      /* columns per lane, and bytes per store */
    TD_TABLE_STRIP = 64,    /* columns of eight lanes; divides the side of a tile */
    TD_TABLE_SECTOR = 32,   /* [bytes] */
    TD_TABLE_LISTED = 1024, /* most entries in the list, each a lane's eight pairs */
    TD_TABLE_PLACES = (TD_TABLE_MOST + TD_TABLE_SECTOR) / TD_TABLE_LANE * (TD_TABLE_LANE + 1)
};

/* The spheres of a tile's rows and columns. Columns start up to a sector to the left of the tile. One place stays free
 * after every eight columns: each lane reads eight, and so lanes read from different banks. */
struct td_table_stage {
    td_sphere row[TD_TABLE_MOST], col[TD_TABLE_PLACES];
    td_table_bytes row_bytes[TD_TABLE_MOST], col_bytes[TD_TABLE_PLACES];
    int32_t most[8]; /* see td_table_extent */
    uint32_t list[TD_TABLE_LISTED];
    uint32_t listed; /* may exceed the room in the list */
    td_table_scale scale;
};

/* A tile, and the data that its threads share. */
struct td_table_work {
    td_table_stage *stage;
    uint32_t first_row, side;
    uint32_t align;       /* 16 or 32: stores start at multiples of this [bytes] */
    int32_t first_staged; /* the first staged column, `align` to the left of the tile */
    bool diagonal;
    bool has_ends; /* rows of the domain begin or end in the tile */
    bool cut;      /* the domain cuts the tile */
};

/* The place of the i-th staged column. */
__device__ inline uint32_t td_table_place(uint32_t i)
{
    return i + i / TD_TABLE_LANE;
}

__device__ inline void td_table_ask(const td_data &data, td_sphere *to, int32_t index)
{
    td_copy_async((float4 *)to,
                  (const float4 *)data.input + min(max(index, 0), (int32_t)data.n - 1));
}

/* Loads the rows and columns of a tile into shared memory. A thread waits for its own copies only; it may read those of
 * the others after a barrier. */
__device__ inline void td_table_fetch(const td_data &data, const td_table_work &work,
                                      uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < work.side; i += threads) {
        td_table_ask(data, &work.stage->row[i], (int32_t)(work.first_row + i));
    }
    for (uint32_t i = thread; i < work.side + work.align; i += threads) {
        td_table_ask(data, &work.stage->col[td_table_place(i)], work.first_staged + (int32_t)i);
    }
    if (thread < 8) {
        work.stage->most[thread] = INT32_MIN;
        work.stage->listed = 0;
    }
    __syncthreads();
    td_wait_copies();
}

/* ---- a tile's spheres as bytes ---- */

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

__device__ inline void td_table_widen(float (&most)[7], td_sphere s)
{
    const float of[7] = {s.x, s.y, s.z, -s.x, -s.y, -s.z, s.r};
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
__device__ inline td_table_bytes td_table_bytes_of(td_sphere s, const td_table_scale &scale)
{
    const uint32_t x = __float_as_uint(fmaf(s.x - scale.x, scale.per_unit, 0x1.8p23f));
    const uint32_t y = __float_as_uint(fmaf(s.y - scale.y, scale.per_unit, 0x1.8p23f));
    const uint32_t z = __float_as_uint(fmaf(s.z - scale.z, scale.per_unit, 0x1.8p23f));
    const uint32_t r = __float_as_uint(fmaf(s.r, scale.per_unit, 1.367f) + 0x1.8p23f);
    const uint32_t xy = td_permute<0x0040>(x, y), zr = td_permute<0x0040>(z, r);
    const int32_t sphere = (int32_t)td_permute<0x5410>(xy, zr), radius = (int32_t)(r & 0xff);
    return {sphere, (td_dot4(sphere, sphere, 0) - 2 * radius * radius) >> 1};
}

/*
 * Writes the extent of the tile's spheres, the maxima of x, y, z, -x, -y, -z and r, to stage->most as td_table_ordered.
 * A NaN touches nothing, whatever its bytes are, and is skipped.
 */
__device__ inline void td_table_extent(const td_table_work &work, uint32_t thread, uint32_t threads)
{
    float most[7] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = thread; i < work.side; i += threads) {
        td_table_widen(most, work.stage->row[i]);
    }
    for (uint32_t i = thread; i < work.side + work.align; i += threads) {
        td_table_widen(most, work.stage->col[td_table_place(i)]);
    }
    int32_t mine = 0;
#pragma unroll
    for (int k = 0; k < 7; k++) {
        const int32_t of_warp = td_warp_most(td_table_ordered(most[k]));
        mine = thread % 32 == (uint32_t)k ? of_warp : mine;
    }
    if (thread % 32 < 7) {
        atomicMax(&work.stage->most[thread % 32], mine);
    }
}

/* Rounds the tile's spheres to bytes. Without a scale every pair counts as one that may touch. */
__device__ inline void td_table_round(const td_table_work &work, uint32_t thread, uint32_t threads)
{
    const td_table_scale scale = work.stage->scale;
    for (uint32_t i = thread; i < work.side; i += threads) {
        const td_table_bytes bytes = td_table_bytes_of(work.stage->row[i], scale);
        work.stage->row_bytes[i] = {bytes.sphere, scale.per_unit > 0 ? bytes.half : INT32_MIN};
    }
    for (uint32_t i = thread; i < work.side + work.align; i += threads) {
        const uint32_t place = td_table_place(i);
        const td_table_bytes bytes = td_table_bytes_of(work.stage->col[place], scale);
        work.stage->col_bytes[place] = {bytes.sphere, -bytes.half};
    }
}

#endif
