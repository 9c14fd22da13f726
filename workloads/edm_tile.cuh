/*
 * edm_tile.cuh - the distance matrix, tile by tile, at the speed of the memory.
 *
 * A team of lanes keeps the points of a tile's columns in registers, four a lane, and goes down the rows: a cell costs
 * no load, and four cells leave in one store of 16 bytes. A tile of 128 has a warp for a team; small N, where such
 * tiles would be too few for all multiprocessors, have half or a quarter of one.
 *
 * Rows of a packed triangle start anywhere, and a sector of 32 bytes that is written in two parts costs two writes. A
 * row starts at r (r + 1) / 2, which modulo 8 is the same for r, for 15 - r and for r + 16. So a team takes rows
 * whose starts are equal modulo 8, and its columns are moved left by that much: every store is of whole sectors, and
 * nothing moves between lanes. What a tile leaves at its right end is the next tile's, and the tile on the diagonal
 * has the rest.
 */
#ifndef TD_WORKLOADS_EDM_TILE_CUH
#define TD_WORKLOADS_EDM_TILE_CUH

#include "edm.h"
#include "tile_of.cuh"

enum {
    TD_EDM_SIDE = TD_EDM_TILE_SIDE, /* of the largest tile */
    TD_EDM_SECTOR = 8, /* what the stores of a team start at a multiple of [elements] */
    TD_EDM_SECTOR_BYTES = 4 * TD_EDM_SECTOR,
    TD_EDM_ROUND = 16 /* rows in which each start modulo 8 comes twice */
};

/* Three features are read as four. */
template <int Features>
struct alignas(Features == 3 ? 16 : 4 * Features) td_edm_point {
    float at[Features == 3 ? 4 : Features];
};

/* The points of a tile's rows and of its columns, those left of it included that a shifted team reaches. */
template <int Features>
struct td_edm_stage {
    td_edm_point<Features> row[TD_EDM_SIDE];
    td_edm_point<Features> col[(TD_EDM_SIDE + TD_EDM_SECTOR) / 4 * 5];
};

/* A place is left free behind every four columns: lanes read four each, and so from different banks. */
__device__ inline uint32_t td_edm_place(uint32_t col)
{
    return col + col / 4;
}

/* The part of a tile that a lane of a team computes: rows y and y + gap of it for y = first, first + step, ..., of one
 * round each, and four columns from `first_col` on, which may be below 0. The team's columns end at `end_col`. */
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
 * Whether the squares of a point's differences to others like it stay in the range of td_edm_root. Coordinates that
 * are 0 or in 2^-27 .. 2^61 are multiples of 2^-50: so are their differences, and a sum of squares is 0 or in 2^-100
 * .. 2^126.
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

/* Item i of a tile's points: first the rows, then the columns. */
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

/* Where a cell lies; col may be below 0. */
__device__ inline float *td_edm_element(const td_data &data, uint32_t row, int32_t col)
{
    float *at = (float *)data.output + td_row_start(&data, row) + col;
    return (float *)td_global((char *)at);
}

/* The part of a thread. Its team has one of eight groups of rows, of which more teams than eight make several parts. */
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
 * A tile's points into shared memory, and meanwhile the thread's part; whether all of them are tame. All threads of the
 * block call it.
 *
 * While results fill the memory's queues a load takes microseconds: all of a thread's are on their way at once, and
 * there is nothing else to wait for in a tile. Nor may registers spill: local memory is behind the same queues (0.43
 * to 0.55 ms).
 */
template <int Features>
__device__ inline bool td_edm_fetch(const td_data &data, td_edm_stage<Features> &stage,
                                    td_work_tile tile, uint32_t thread, uint32_t threads,
                                    td_edm_part &part)
{
    const uint32_t last = 2 * tile.side + TD_EDM_SECTOR - 1; /* less than twice the threads */
    const uint32_t i = min(thread, last), j = min(thread + threads, last);
    const td_edm_point<Features> a = td_edm_item<Features>(data, tile, i);
    const td_edm_point<Features> b = td_edm_item<Features>(data, tile, j);
    part = td_edm_part_of(data, tile, thread, threads);
    td_edm_keep<Features>(stage, tile.side, i, a);
    td_edm_keep<Features>(stage, tile.side, j, b);
    const bool tame = td_edm_is_tame(a) && td_edm_is_tame(b);
    return __syncthreads_and(tame);
}

/* As td_edm_distance adds them up. */
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
 * The rounded root.
 *
 * Tame: x is 0 or in 2^-100 .. 2^126, and what sqrtf does in its range is enough, without its test and branch. Adding
 * 2^-126 changes no such x but 0, whose root comes out as 0.
 *
 * Exact   every x in that range (all of them compared with sqrtf)
 */
template <bool Tame>
__device__ inline float td_edm_root(float x)
{
    if (!Tame) {
        return sqrtf(x);
    }
    const float inverse = td_rsqrt_approximate(x + 0x1p-126f);
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

/* A part with no cell to leave out. The distance of a row to the next of the part grows by the same each time. */
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
        td_store_float4(to, td_edm_quad<Features, true>(stage.row[y], col));
        td_store_float4(to_second, td_edm_quad<Features, true>(stage.row[y + part.gap], col));
        to += step;
        to_second += step + more;
        step += growth;
    }
}

/* The cells of one row, those in the domain. */
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

/* What the shift has left over on the diagonal: a few columns of the last rows, one for a lane. */
__device__ inline uint32_t td_edm_rest(const td_edm_part &part)
{
    return (uint32_t)(part.end_col + (part.first_col + (int32_t)part.side - part.end_col) / 4);
}

__device__ inline void td_edm_put_rest(const td_data &data, const td_edm_part &part, uint32_t row,
                                       float value)
{
    const uint32_t col = td_edm_rest(part);
    if (col <= row && row < data.n) {
        td_store_float(td_edm_element(data, row, (int32_t)col), value);
    }
}

/* A part of a tile that the domain cuts, or with points that are not tame. Few tiles are, but a small grid waits for
 * them: what a thread computes of both rows it computes side by side. */
template <int Features, bool Tame>
__device__ inline void td_edm_edge(const td_data &data, const td_edm_part &part,
                                   const td_edm_stage<Features> &stage,
                                   const td_edm_point<Features> (&col)[4])
{
    constexpr uint32_t at_once = Tame ? 2 : 1; /* sqrtf takes many registers */
    const uint32_t rest = min(td_edm_rest(part) - part.first_row, part.side - 1);
    const td_edm_point<Features> last = stage.col[td_edm_place(rest + TD_EDM_SECTOR)];
#pragma unroll 1
    for (uint32_t y = part.first; y < part.side; y += part.step) {
#pragma unroll 1
        for (uint32_t second = 0; second < 2; second += at_once) {
            float4 quad[at_once];
            float left[at_once];
#pragma unroll
            for (uint32_t k = 0; k < at_once; k++) {
                const td_edm_point<Features> row = stage.row[y + (second + k) * part.gap];
                quad[k] = td_edm_quad<Features, Tame>(row, col);
                left[k] = td_edm_root<Tame>(td_edm_squared<Features>(row, last));
            }
#pragma unroll
            for (uint32_t k = 0; k < at_once; k++) {
                const uint32_t row = part.first_row + y + (second + k) * part.gap;
                td_edm_put_some(data, part, row, quad[k]);
                if (part.diagonal) {
                    td_edm_put_rest(data, part, row, left[k]);
                }
            }
        }
    }
}

/*
 * In the full layout the sectors at the ends of the domain's rows are written in part, and memory with ECC has to
 * read them first. Asked for all at once at the start of a launch, before the writes, that costs nothing (H200, N =
 * 30720: 0.437 to 0.424 ms); L2 keeps them.
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
 * td_edm_tile - the cells of a tile, bit for bit as td_edm_cell.
 *
 * Shape   tile: 32, 64 or 128 [cells]; block: a multiple of twice as many [threads]
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
    } else if (tile.x == 0 || part.diagonal || part.first_row + tile.side > data.n) {
        td_edm_edge<Features, true>(data, part, stage, col);
    } else {
        td_edm_rows<Features>(data, part, stage, col);
    }
    __syncthreads(); /* before the next tile writes over the points */
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
