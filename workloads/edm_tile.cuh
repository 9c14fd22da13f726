/*
 * edm_tile.cuh - the distance matrix, tile by tile, at memory speed.
 *
 * A team of lanes keeps the points of a tile's columns in registers, four per lane, and walks down the rows: a cell
 * costs no load of its own, and four cells leave in one store of 16 bytes. In a tile of 128 a team is a warp. For small
 * N, where tiles of 128 would be too few for all multiprocessors, tiles are smaller and a team is half or a quarter of
 * a warp.
 *
 * Rows of a packed triangle start anywhere, and a sector of 32 bytes that is written in two parts costs two writes. Row
 * r starts at r (r + 1) / 2, which is equal modulo 8 for r, 15 - r and r + 16. So a team takes rows whose starts are
 * equal modulo 8, and shifts its columns left by that remainder: every store writes whole sectors, and no data moves
 * between lanes. The next tile takes the columns left over at the right end of a tile; the tile on the diagonal also
 * takes the rest.
 */
#ifndef TD_WORKLOADS_EDM_TILE_CUH
#define TD_WORKLOADS_EDM_TILE_CUH

#include "edm.h"
#include "tile_of.cuh"

enum {
    TD_EDM_SIDE = TD_EDM_TILE_SIDE, /* side of the largest tile [cells] */
    TD_EDM_SECTOR = 8,              /* a team's stores start at multiples of this [elements] */
    TD_EDM_SECTOR_BYTES = 4 * TD_EDM_SECTOR,
    TD_EDM_ROUND = 16 /* rows in which each start modulo 8 occurs twice */
};

/* Three features are padded to four, so that one load reads a point. */
template <int Features>
struct alignas(Features == 3 ? 16 : 4 * Features) td_edm_point {
    float at[Features == 3 ? 4 : Features];
};

/* The points of a tile's rows and columns, including the columns to its left that a shifted team reaches. */
template <int Features>
struct td_edm_stage {
    td_edm_point<Features> row[TD_EDM_SIDE];
    td_edm_point<Features> col[(TD_EDM_SIDE + TD_EDM_SECTOR) / 4 * 5];
};

/* Place of a column in the stage. One place stays free after every four columns: each lane reads four, and so lanes
 * read from different banks. */
__device__ inline uint32_t td_edm_place(uint32_t col)
{
    return col + col / 4;
}

/* The part of a tile that a lane computes: the tile's rows y and y + gap, both of one round, for y = first, first +
 * step, ..., and four columns from `first_col` on, which may be below 0. The team's columns end at `end_col`. */
struct td_edm_part {
    uint32_t first_row, first, gap, step, side;
    int32_t first_col, end_col;
    bool diagonal;
};

template <int Features>
__device__ inline td_edm_point<Features> td_edm_load(const td_data &data, int32_t i)
{
    td_edm_point<Features> point = {};
    const float *at = (const float *)data.input + min(max(i, 0), (int32_t)data.n - 1);
#pragma unroll
    for (int k = 0; k < Features; k++) {
        point.at[k] = td_load(at);
        at += data.n;
    }
    return point;
}

/*
 * Whether td_edm_root<true> can take the squared distances between points like this one. Coordinates that are 0 or in
 * 2^-27 .. 2^61 are multiples of 2^-50, and so are their differences: a sum of squares is 0 or in 2^-100 .. 2^126.
 */
template <int Features>
__device__ inline bool td_edm_is_tame(const td_edm_point<Features> &point)
{
    bool tame = true;
#pragma unroll
    for (int k = 0; k < Features; k++) {
        const uint32_t magnitude = __float_as_uint(point.at[k]) & 0x7fffffffu;
        tame = tame && (magnitude == 0 || (magnitude >= 0x32000000u && magnitude < 0x5e000000u));
    }
    return tame;
}

/* Point i of a tile: first those of the rows, then those of the columns. */
template <int Features>
__device__ inline td_edm_point<Features> td_edm_item(const td_data &data, td_work_tile tile,
                                                     uint32_t i)
{
    const uint32_t rows = tile.y * tile.side, columns = tile.x * tile.side - TD_EDM_SECTOR;
    return td_edm_load<Features>(data,
                                 (int32_t)(i < tile.side ? rows + i : columns + i - tile.side));
}

template <int Features>
__device__ inline void td_edm_keep(td_edm_stage<Features> &stage, uint32_t side, uint32_t i,
                                   const td_edm_point<Features> &point)
{
    if (i < side) {
        stage.row[i] = point;
    } else {
        stage.col[td_edm_place(i - side)] = point;
    }
}

/* Address of a cell; col may be below 0. */
__device__ inline float *td_edm_element(const td_data &data, uint32_t row, int32_t col)
{
    float *at = (float *)data.output + td_row_start(&data, row) + col;
    return (float *)td_global((char *)at);
}

/* The part that a thread computes. Its team takes one of eight groups of rows; if there are more than eight teams,
 * several of them share a group. */
__device__ inline td_edm_part td_edm_part_of(const td_data &data, td_work_tile tile,
                                             uint32_t thread, uint32_t threads)
{
    const uint32_t lanes = tile.side / 4, shift = (uint32_t)__ffs((int)lanes) - 1;
    const uint32_t team = thread >> shift, teams = threads >> shift, group = team % TD_EDM_SECTOR;
    td_edm_part part;
    part.side = tile.side;
    part.first_row = tile.y * tile.side;
    part.first = team / TD_EDM_SECTOR * TD_EDM_ROUND + group;
    part.gap = data.full ? (uint32_t)TD_EDM_SECTOR : TD_EDM_ROUND - 1 - 2 * group;
    part.step = teams / TD_EDM_SECTOR * TD_EDM_ROUND;
    const float *start = td_edm_element(data, part.first_row + part.first, 0);
    const uint32_t over = (uint32_t)((uintptr_t)start / sizeof(float) % TD_EDM_SECTOR);
    part.end_col = (int32_t)((tile.x + 1) * tile.side - over);
    part.first_col = part.end_col - (int32_t)(tile.side - 4 * (thread & (lanes - 1)));
    part.diagonal = tile.x == tile.y;
    return part;
}

/*
 * Loads a tile's points into shared memory, computes the thread's part meanwhile, and returns whether all points are
 * tame. All threads of the block must call it.
 *
 * While results fill the memory's queues, a load takes microseconds: a thread issues all of its loads at once, and a
 * tile waits for nothing else. Registers must not spill either: local memory waits in the same queues (0.43 ms becomes
 * 0.55 ms).
 */
template <int Features>
__device__ inline bool td_edm_fetch(const td_data &data, td_edm_stage<Features> &stage,
                                    td_work_tile tile, uint32_t thread, uint32_t threads,
                                    td_edm_part &part)
{
    const uint32_t last = 2 * tile.side + TD_EDM_SECTOR - 1; /* below twice `threads` */
    const uint32_t i = min(thread, last), j = min(thread + threads, last);
    const td_edm_point<Features> a = td_edm_item<Features>(data, tile, i);
    const td_edm_point<Features> b = td_edm_item<Features>(data, tile, j);
    part = td_edm_part_of(data, tile, thread, threads);
    td_edm_keep<Features>(stage, tile.side, i, a);
    td_edm_keep<Features>(stage, tile.side, j, b);
    const bool tame = td_edm_is_tame(a) && td_edm_is_tame(b);
    return __syncthreads_and(tame);
}

/* The squared distance, added up in the order of td_edm_distance. */
template <int Features>
__device__ inline float td_edm_squared(const td_edm_point<Features> &a,
                                       const td_edm_point<Features> &b)
{
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < Features; k++) {
        const float difference = a.at[k] - b.at[k];
        sum += difference * difference;
    }
    return sum;
}

/*
 * The correctly rounded root.
 *
 * Tame: x is 0 or in 2^-100 .. 2^126. There the steps of sqrtf for its normal range are enough, without its test and
 * branch. Adding 2^-126 changes no such x but 0, whose root comes out as 0.
 *
 * Exact   for every x in that range (all of them compared with sqrtf)
 */
template <bool Tame>
__device__ inline float td_edm_root(float x)
{
    if (!Tame) {
        return sqrtf(x);
    }
    const float inverse = td_rsqrtf(x + 0x1p-126f);
    const float root = x * inverse;
    return fmaf(fmaf(-root, root, x), 0.5f * inverse, root);
}

template <int Features, bool Tame>
__device__ inline float4 td_edm_quad(const td_edm_point<Features> &row,
                                     const td_edm_point<Features> (&col)[4])
{
    return make_float4(td_edm_root<Tame>(td_edm_squared<Features>(row, col[0])),
                       td_edm_root<Tame>(td_edm_squared<Features>(row, col[1])),
                       td_edm_root<Tame>(td_edm_squared<Features>(row, col[2])),
                       td_edm_root<Tame>(td_edm_squared<Features>(row, col[3])));
}

/* Stores four cells of a row from column `first` on, except those left of column 0. */
__device__ inline void td_edm_put(float *at, int32_t first, float4 quad)
{
    if (first >= 0) {
        td_store_float4(at, quad);
        return;
    }
    if (first >= -1) {
        td_store_float(at + 1, quad.y);
    }
    if (first >= -2) {
        td_store_float(at + 2, quad.z);
    }
    if (first >= -3) {
        td_store_float(at + 3, quad.w);
    }
}

/* Computes a part in which every cell from column 0 on is stored. The distance from a row of the part to the next
 * grows by a constant each time. */
template <int Features>
__device__ inline void td_edm_rows(const td_data &data, const td_edm_part &part,
                                   const td_edm_stage<Features> &stage,
                                   const td_edm_point<Features> (&col)[4])
{
    const uint32_t row = part.first_row + part.first;
    const uint32_t growth = data.full ? 0 : part.step * part.step;
    uint32_t step = (uint32_t)(td_row_start(&data, row + part.step) - td_row_start(&data, row));
    const uint32_t more = data.full ? 0 : part.step * part.gap;
    float *to = td_edm_element(data, row, part.first_col);
    float *to_second = td_edm_element(data, row + part.gap, part.first_col);
#pragma unroll 1
    for (uint32_t y = part.first; y < part.side; y += part.step) {
        td_edm_put(to, part.first_col, td_edm_quad<Features, true>(stage.row[y], col));
        td_edm_put(to_second, part.first_col,
                   td_edm_quad<Features, true>(stage.row[y + part.gap], col));
        to += step;
        to_second += step + more;
        step += growth;
    }
}

/* Stores the cells in the domain among four cells of a row. */
__device__ inline void td_edm_put_some(const td_data &data, const td_edm_part &part, uint32_t row,
                                       float4 quad)
{
    const int32_t first = part.first_col;
    const int32_t end = part.diagonal ? min(part.end_col, (int32_t)row + 1) : part.end_col;
    if (row >= data.n || first >= end) {
        return;
    }
    float *at = td_edm_element(data, row, first);
    if (first >= 0 && first + 4 <= end) {
        td_store_float4(at, quad);
        return;
    }
    const float value[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (first + k >= 0 && first + k < end) {
            td_store_float(at + k, value[k]);
        }
    }
}

/* The lane's column among those that the shift leaves over on the diagonal: a few columns of the last rows, one per
 * lane. */
__device__ inline uint32_t td_edm_rest(const td_edm_part &part)
{
    return (uint32_t)(part.end_col + (part.first_col + (int32_t)part.side - part.end_col) / 4);
}

/* Stores this lane's remaining column of a row, where the row has it. */
template <int Features, bool Tame>
__device__ inline void td_edm_put_rest(const td_data &data, const td_edm_part &part,
                                       const td_edm_stage<Features> &stage, uint32_t y)
{
    const uint32_t row = part.first_row + y, col = td_edm_rest(part);
    if (col <= row && row < data.n) {
        const uint32_t place = td_edm_place(col - part.first_row + TD_EDM_SECTOR);
        const float squared = td_edm_squared<Features>(stage.row[y], stage.col[place]);
        td_store_float(td_edm_element(data, row, (int32_t)col), td_edm_root<Tame>(squared));
    }
}

/* Computes a part of a tile that the domain cuts, or that has points that are not tame. There are few such tiles, but a
 * small grid waits for them: a thread computes its two rows side by side. */
template <int Features, bool Tame>
__device__ inline void td_edm_edge(const td_data &data, const td_edm_part &part,
                                   const td_edm_stage<Features> &stage,
                                   const td_edm_point<Features> (&col)[4])
{
    constexpr uint32_t at_once = Tame ? 2 : 1; /* sqrtf takes too many registers for two rows */
#pragma unroll 1
    for (uint32_t y = part.first; y < part.side; y += part.step) {
#pragma unroll 1
        for (uint32_t second = 0; second < 2; second += at_once) {
            float4 quad[at_once];
#pragma unroll
            for (uint32_t k = 0; k < at_once; k++) {
                quad[k] = td_edm_quad<Features, Tame>(stage.row[y + (second + k) * part.gap], col);
            }
#pragma unroll
            for (uint32_t k = 0; k < at_once; k++) {
                const uint32_t at = y + (second + k) * part.gap;
                td_edm_put_some(data, part, part.first_row + at, quad[k]);
                if (part.diagonal) {
                    td_edm_put_rest<Features, Tame>(data, part, stage, at);
                }
            }
        }
    }
}

/*
 * In the full layout the sectors at the ends of the domain's rows are written in part, and memory with ECC has to read
 * them first. Prefetching all of them at the start of a launch, before the writes, hides these reads (H200, N = 30720:
 * 0.437 to 0.424 ms); L2 keeps the sectors.
 */
__device__ inline void td_edm_prefetch_ends(const td_data &data, uint32_t thread, uint32_t threads)
{
    const uint32_t block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const uint64_t row = (uint64_t)block * threads + thread;
    if (row < data.n) {
        const float *first = td_edm_element(data, (uint32_t)row, 0), *last = first + row;
        if ((uintptr_t)first % TD_EDM_SECTOR_BYTES != 0) {
            td_prefetch(first);
        }
        if ((uintptr_t)(last + 1) % TD_EDM_SECTOR_BYTES != 0) {
            td_prefetch(last);
        }
    }
}

/*
 * td_edm_tile - computes the cells of a tile, bit for bit as td_edm_cell.
 *
 * Shape   tile: 32, 64 or 128 [cells]; block: a multiple of twice the side [threads]
 */
template <int Features>
__device__ inline void td_edm_tile(const td_data &data, td_work_tile tile)
{
    __shared__ td_edm_stage<Features> stage;
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    const uint32_t threads = blockDim.x * blockDim.y;
    td_edm_part part;
    if (data.full && !tile.again) {
        td_edm_prefetch_ends(data, thread, threads);
    }
    const bool tame = td_edm_fetch<Features>(data, stage, tile, thread, threads, part);
    const uint32_t first = part.first_col + TD_EDM_SECTOR - tile.x * tile.side;
    td_edm_point<Features> col[4];
#pragma unroll
    for (uint32_t k = 0; k < 4; k++) {
        col[k] = stage.col[td_edm_place(first + k)];
    }
    if (!tame) {
        td_edm_edge<Features, false>(data, part, stage, col);
    } else if (part.diagonal || part.first_row + tile.side > data.n) {
        td_edm_edge<Features, true>(data, part, stage, col);
    } else {
        td_edm_rows<Features>(data, part, stage, col);
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_edm1> = td_edm_tile<1>;
template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_edm2> = td_edm_tile<2>;
template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_edm3> = td_edm_tile<3>;
template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_edm4> = td_edm_tile<4>;

#endif
