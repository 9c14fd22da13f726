/*
 * collision_tile.cuh - the collision table, tile by tile.
 *
 * A warp keeps the spheres of 256 columns in registers, eight a lane, and goes down the rows of a tile: a pair costs
 * an addition and four fused multiply-adds, and eight results leave in one store. Rows are shared out over the warps,
 * and the columns of a warp shifted, as in edm_tile.cuh: here row r starts at r (r - 1) / 2, which modulo 8 is the
 * same for r, for 1 - r and for r + 16.
 */
#ifndef TD_WORKLOADS_COLLISION_TILE_CUH
#define TD_WORKLOADS_COLLISION_TILE_CUH

#include "collision.h"
#include "tile_of.cuh"

enum {
    TD_TABLE_SIDE = 256, /* the side of a tile, which is a warp's columns */
    TD_TABLE_LANE = 8,   /* columns of a lane, and bytes of a store */
    TD_TABLE_ROUND = 16, /* rows in which each start modulo 8 comes twice */
    TD_TABLE_PLACES = (TD_TABLE_SIDE + TD_TABLE_LANE) / TD_TABLE_LANE * (TD_TABLE_LANE + 1)
};

/* The spheres of a tile's rows and columns, with A = |c|^2 - r^2 of each. A place is left free behind every eight
 * columns: lanes read eight each, and so from different banks. */
struct td_table_stage {
    float4 row[TD_TABLE_SIDE]; /* -2 (x, y, z, r) */
    float row_a[TD_TABLE_SIDE];
    float4 col[TD_TABLE_PLACES];
    float col_a[TD_TABLE_PLACES];
    uint32_t most[32]; /* |c|^2 + r^2 at most, by warp, as bits */
};

/* The columns of a lane. */
struct td_table_columns {
    td_sphere at[TD_TABLE_LANE];
    float a[TD_TABLE_LANE]; /* less td_table_part.doubt */
};

/* What a warp does of a tile: rows y and y + gap of it for y = first, first + step, ..., in the columns from
 * `first_col` on (by lane; may be below 0) to `end_col`. Both rows are of one round. */
struct td_table_part {
    uint32_t first_row, first, gap, step;
    int32_t first_col, end_col;
    bool diagonal;
    float doubt;
};

__device__ inline td_sphere td_table_load(const td_data &data, int32_t i)
{
    const float4 v = __ldg((const float4 *)data.input + min(max(i, 0), (int32_t)data.n - 1));
    td_sphere sphere;
    sphere.x = v.x;
    sphere.y = v.y;
    sphere.z = v.z;
    sphere.r = v.w;
    return sphere;
}

/* Item i of a tile's spheres: first the rows, then the columns. */
__device__ inline td_sphere td_table_item(const td_data &data, td_work_tile tile, uint32_t i)
{
    const uint32_t rows = tile.y * TD_TABLE_SIDE, columns = tile.x * TD_TABLE_SIDE - TD_TABLE_LANE;
    return td_table_load(data,
                         (int32_t)(i < TD_TABLE_SIDE ? rows + i : columns + i - TD_TABLE_SIDE));
}

/* Puts a sphere in its place. Output: the bits of |c|^2 + r^2, which are ordered as the numbers are, a NaN last. */
__device__ inline uint32_t td_table_keep(td_table_stage &stage, uint32_t i, const td_sphere &s)
{
    const float center = s.x * s.x + s.y * s.y + s.z * s.z, radius = s.r * s.r;
    if (i < TD_TABLE_SIDE) {
        stage.row[i] = make_float4(-2 * s.x, -2 * s.y, -2 * s.z, -2 * s.r);
        stage.row_a[i] = center - radius;
    } else {
        const uint32_t place = (i - TD_TABLE_SIDE) + (i - TD_TABLE_SIDE) / TD_TABLE_LANE;
        stage.col[place] = make_float4(s.x, s.y, s.z, s.r);
        stage.col_a[place] = center - radius;
    }
    return __float_as_uint(center + radius) & 0x7fffffffu;
}

/* The largest of a warp, in all its lanes. */
__device__ inline uint32_t td_table_warp_most(uint32_t value)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value = max(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
}

/* A tile's spheres into shared memory, all loads on their way at once; their largest |c|^2 + r^2. All threads call
 * it. */
__device__ inline float td_table_fetch(const td_data &data, td_table_stage &stage,
                                       td_work_tile tile, uint32_t thread, uint32_t threads)
{
    enum { TIMES = 3 }; /* there are fewer items than three times the threads */
    const uint32_t last = 2 * TD_TABLE_SIDE + TD_TABLE_LANE - 1;
    td_sphere sphere[TIMES];
    uint32_t most = 0;
#pragma unroll
    for (uint32_t k = 0; k < TIMES; k++) {
        sphere[k] = td_table_item(data, tile, min(thread + k * threads, last));
    }
#pragma unroll
    for (uint32_t k = 0; k < TIMES; k++) {
        most = max(most, td_table_keep(stage, min(thread + k * threads, last), sphere[k]));
    }
    stage.most[thread / 32] = td_table_warp_most(most);
    __syncthreads();
    most = stage.most[thread % 32 < threads / 32 ? thread % 32 : 0];
    return __uint_as_float(td_table_warp_most(most));
}

/* The signs of four numbers as bytes 0 or 1. */
__device__ inline uint32_t td_table_signs(float a, float b, float c, float d)
{
    const uint32_t ab = td_permute<0xfbfb>(__float_as_uint(a), __float_as_uint(b));
    const uint32_t cd = td_permute<0xfbfb>(__float_as_uint(c), __float_as_uint(d));
    return td_permute<0x7610>(ab, cd) & 0x01010101u;
}

/* Eight results as td_spheres_touch gives them. */
__device__ inline uint2 td_table_exact(const td_data &data, uint32_t row,
                                       const td_table_columns &col)
{
    const td_sphere a = td_table_load(data, (int32_t)row);
    uint32_t bytes[2] = {0, 0};
#pragma unroll
    for (int k = 0; k < TD_TABLE_LANE; k++) {
        bytes[k / 4] |= td_spheres_touch(&a, &col.at[k]) ? 1u << 8 * (k % 4) : 0u;
    }
    return make_uint2(bytes[0], bytes[1]);
}

/* Eight results where one is 1 or in doubt: some t is below 0. Those that are in doubt are not below -2 doubt. */
__device__ inline uint2 td_table_near(const td_data &data, const td_table_part &part, uint32_t y,
                                      const td_table_columns &col, const float (&t)[TD_TABLE_LANE])
{
    const float d = 2 * part.doubt;
    const uint32_t low = td_table_signs(t[0], t[1], t[2], t[3]);
    const uint32_t high = td_table_signs(t[4], t[5], t[6], t[7]);
    if (low == td_table_signs(t[0] + d, t[1] + d, t[2] + d, t[3] + d) &&
        high == td_table_signs(t[4] + d, t[5] + d, t[6] + d, t[7] + d)) {
        return make_uint2(low, high);
    }
    return td_table_exact(data, part.first_row + y, col);
}

/*
 * Eight results of a row, bit for bit those of td_spheres_touch.
 *
 * |a - b|^2 - (r_a + r_b)^2 = A_a + A_b - 2 (a . b + r_a r_b). This sum, and the two sides that td_spheres_touch
 * compares, are rounded by less than 2^-18 of the tile's largest |c|^2 + r^2 (48 half units in the last place, of
 * 64): where it is farther from 0 its sign decides. That is taken off A_b beforehand, so that a sum which is not
 * negative is a certain 0; most are, for few spheres touch.
 */
__device__ inline uint2 td_table_row(const td_data &data, const td_table_stage &stage,
                                     const td_table_part &part, uint32_t y,
                                     const td_table_columns &col)
{
    const float4 row = stage.row[y];
    const float a = stage.row_a[y];
    float t[TD_TABLE_LANE];
    uint32_t any = 0;
#pragma unroll
    for (int k = 0; k < TD_TABLE_LANE; k++) {
        t[k] = fmaf(row.x, col.at[k].x, a + col.a[k]);
        t[k] = fmaf(row.y, col.at[k].y, t[k]);
        t[k] = fmaf(row.z, col.at[k].z, t[k]);
        t[k] = fmaf(row.w, col.at[k].r, t[k]);
        any |= __float_as_uint(t[k]);
    }
    return (int32_t)any < 0 ? td_table_near(data, part, y, col, t) : make_uint2(0, 0);
}

/* Where a pair lies; col may be below 0. */
__device__ inline uint8_t *td_table_element(const td_data &data, uint32_t row, int32_t col)
{
    uint8_t *at = (uint8_t *)data.output + td_row_start(&data, row) + col;
    return (uint8_t *)td_global((char *)at);
}

/* A part with no pair to leave out. The distance of a row to the next of the part grows by the same each time. */
__device__ inline void td_table_rows(const td_data &data, const td_table_stage &stage,
                                     const td_table_part &part, const td_table_columns &col)
{
    const uint32_t row = part.first_row + part.first;
    uint32_t step = (uint32_t)(td_row_start(&data, row + part.step) - td_row_start(&data, row));
    uint8_t *to = td_table_element(data, row, part.first_col);
    uint8_t *to_second = td_table_element(data, row + part.gap, part.first_col);
#pragma unroll 1
    for (uint32_t y = part.first; y < TD_TABLE_SIDE; y += part.step) {
        td_store_uint2(to, td_table_row(data, stage, part, y, col));
        td_store_uint2(to_second, td_table_row(data, stage, part, y + part.gap, col));
        to += step;
        to_second += step + part.step * part.gap;
        step += part.step * part.step;
    }
}

/* The results of a row that are in the domain. */
__device__ inline void td_table_put_some(const td_data &data, const td_table_part &part,
                                         uint32_t row, uint2 bytes)
{
    const int32_t first = part.first_col, end = min(part.end_col, (int32_t)row);
    uint8_t *at = td_table_element(data, row, first);
    if (first >= 0 && first + TD_TABLE_LANE <= end) {
        td_store_uint2(at, bytes);
        return;
    }
#pragma unroll
    for (int k = 0; k < TD_TABLE_LANE; k++) {
        if (first + k >= 0 && first + k < end) {
            td_store_byte(at + k, (k < 4 ? bytes.x : bytes.y) >> 8 * (k % 4) & 1u);
        }
    }
}

/* A part of a tile that the domain cuts, or with spheres too far out for a sum of squares (wild). The shift leaves a
 * few columns of the last rows over on the diagonal. */
__device__ inline void td_table_edge(const td_data &data, const td_table_stage &stage,
                                     const td_table_part &part, const td_table_columns &col,
                                     bool wild, uint32_t lane)
{
#pragma unroll 1
    for (uint32_t i = 0; part.first + i / 2 * part.step < TD_TABLE_SIDE; i++) {
        const uint32_t y = part.first + i / 2 * part.step + i % 2 * part.gap;
        const uint32_t row = part.first_row + y, rest = (uint32_t)part.end_col + lane;
        if (row >= data.n) {
            continue;
        }
        td_table_put_some(data, part, row,
                          wild ? td_table_exact(data, row, col)
                               : td_table_row(data, stage, part, y, col));
        if (part.diagonal && rest < row) {
            td_collision_cell(&data, row, rest);
        }
    }
}

/* The part of a warp: one of eight groups of rows, of which blocks with more warps than eight make several pieces. */
__device__ inline td_table_part td_table_part_of(const td_data &data, td_work_tile tile,
                                                 uint32_t warp, uint32_t warps)
{
    const uint32_t group = warp % TD_TABLE_LANE;
    td_table_part part;
    part.first_row = tile.y * TD_TABLE_SIDE;
    /* r and 1 - r modulo 16: 0 and 1, 2 and 15, 3 and 14, ... 8 and 9 */
    part.first = warp / TD_TABLE_LANE * TD_TABLE_ROUND + (group == 0 ? 0 : group + 1);
    part.gap = group == 0 ? 1 : TD_TABLE_ROUND - 1 - 2 * group;
    part.step = max(1u, warps / TD_TABLE_LANE) * TD_TABLE_ROUND;
    const uint8_t *start = td_table_element(data, part.first_row + part.first, 0);
    part.first_col =
        (int32_t)(tile.x * TD_TABLE_SIDE) - (int32_t)((uintptr_t)start % TD_TABLE_LANE);
    part.end_col = part.first_col + TD_TABLE_SIDE;
    part.diagonal = tile.x == tile.y;
    return part;
}

/* The columns of a lane, `first` places from the stage's first on. */
__device__ inline td_table_columns td_table_columns_of(const td_table_stage &stage, uint32_t first,
                                                       float doubt)
{
    td_table_columns col;
#pragma unroll
    for (uint32_t k = 0; k < TD_TABLE_LANE; k++) {
        const uint32_t place = first + k + (first + k) / TD_TABLE_LANE;
        const float4 v = stage.col[place];
        col.at[k].x = v.x;
        col.at[k].y = v.y;
        col.at[k].z = v.z;
        col.at[k].r = v.w;
        col.a[k] = stage.col_a[place] - doubt;
    }
    return col;
}

/*
 * td_collision_tile - the pairs of a tile.
 *
 * Shape   tile: 256 [cells]; block: 256, 512 or 768 [threads]
 */
__device__ inline void td_collision_tile(const td_data &data, td_work_tile tile)
{
    __shared__ td_table_stage stage;
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    const uint32_t threads = blockDim.x * blockDim.y, lane = thread % 32;
    const float most = td_table_fetch(data, stage, tile, thread, threads);
    const bool wild = !(most < 0x1p100f); /* or a NaN */
    td_table_part part = td_table_part_of(data, tile, thread / 32, threads / 32);
    part.doubt = most * 0x1p-18f + 0x1p-140f;
    part.first_col += (int32_t)(TD_TABLE_LANE * lane);
    const uint32_t first = part.first_col + TD_TABLE_LANE - tile.x * TD_TABLE_SIDE;
    const td_table_columns col = td_table_columns_of(stage, first, part.doubt);
    if (wild || tile.x == 0 || part.diagonal || part.first_row + TD_TABLE_SIDE > data.n) {
        td_table_edge(data, stage, part, col, wild, lane);
    } else {
        td_table_rows(data, stage, part, col);
    }
    __syncthreads(); /* before the next tile writes over the spheres */
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_collision> = td_collision_tile;

#endif
