/*
 * collision_tile.cuh - the collision table, tile by tile, at memory speed.
 *
 * Few spheres touch. A large tile rounds its spheres outwards to bytes, so that one instruction can show that a pair
 * certainly does not touch. It first stores zeros for all pairs, eight per lane, and puts the pairs that may touch in a
 * list. After the last zero the block decides the pairs of the list, as td_spheres_touch does, and stores the ones. In
 * a small tile the rounding would take longer than it saves: it decides all pairs directly.
 */
#ifndef TD_WORKLOADS_COLLISION_TILE_CUH
#define TD_WORKLOADS_COLLISION_TILE_CUH

#include "collision_stage.cuh"
#include "tile_of.cuh"

/* Whether the spheres of a tile's row y and of the i-th staged column touch. */
__device__ inline bool td_table_touch(const td_table_work &work, uint32_t y, uint32_t i)
{
    const td_sphere a = work.stage->row[y], b = work.stage->col[td_table_place(i)];
    return td_spheres_touch(&a, &b);
}

/* A lane's eight columns in a large tile, as bytes. `first` is the first of them among the staged columns. */
struct td_table_rounded {
    td_table_bytes col[TD_TABLE_LANE];
    uint32_t first;
};

__device__ inline void td_table_take(const td_table_work &work, uint32_t first,
                                     td_table_rounded &mine)
{
    const td_table_bytes *const at = &work.stage->col_bytes[td_table_place(first)];
    mine.first = first;
#pragma unroll
    for (uint32_t k = 0; k < TD_TABLE_LANE; k++) {
        /* td_table_place(first + k) without its division */
        mine.col[k] = (first % TD_TABLE_LANE + k < TD_TABLE_LANE ? at : at + 1)[k];
    }
}

/* Puts a lane's eight pairs in a row on the list, as long as there is room. */
__device__ inline void td_table_leave(const td_table_work &work, uint32_t y, uint32_t first)
{
    const uint32_t place = atomicAdd(&work.stage->listed, 1u);
    if (place < TD_TABLE_LISTED) {
        work.stage->list[place] = y << 16 | first;
    }
}

/*
 * Returns eight results of a row, zeros for now, and lists the pairs if one of them may touch.
 *
 * Spheres a and b as bytes touch where a . b + r_a r_b >= (|a|^2 - r_a^2) / 2 + (|b|^2 - r_b^2) / 2.
 */
__device__ inline uint2 td_table_row(const td_table_work &work, uint32_t y,
                                     const td_table_rounded &mine)
{
    const td_table_bytes row = work.stage->row_bytes[y];
    int32_t most = td_dot4(row.sphere, mine.col[0].sphere, mine.col[0].half);
#pragma unroll
    for (int k = 1; k < TD_TABLE_LANE; k++) {
        most = max(most, td_dot4(row.sphere, mine.col[k].sphere, mine.col[k].half));
    }
    if (most >= row.half) {
        td_table_leave(work, y, mine.first);
    }
    return make_uint2(0, 0);
}

/* Address of a pair's result, as by td_row_start; col may be below 0. */
__device__ inline uint8_t *td_table_element(const td_data &data, uint32_t row, int32_t col)
{
    uint8_t *at = (uint8_t *)data.output + (uint64_t)row * (row - 1) / 2 + col;
    return (uint8_t *)td_global((char *)at);
}

/* Whether all eight columns of a lane are in the domain. */
__device__ inline bool td_table_is_whole(const td_data &data, const td_table_work &work, uint32_t y,
                                         int32_t first)
{
    const uint32_t row = work.first_row + y;
    return first >= 0 && first + TD_TABLE_LANE <= (int32_t)row && row < data.n;
}

/* Stores zeros for eight columns of rows y, y + period, ... and of as many from `other` on, and lists pairs that may
 * touch. If Cut, it skips rows that the domain ends in. The distance from a row to the next of its kind grows by a
 * constant each time. */
template <bool Cut>
__device__ inline void td_table_rows(const td_data &data, const td_table_work &work, uint32_t y,
                                     uint32_t other, int32_t first, const td_table_rounded &mine)
{
    const uint32_t row = work.first_row + y, period = 2 * work.align;
    const int32_t more = (int32_t)period * ((int32_t)other - (int32_t)y);
    int32_t step = (int32_t)(period * row + period * (period - 1) / 2);
    uint8_t *to = td_table_element(data, row, first);
    uint8_t *to_other = td_table_element(data, work.first_row + other, first);
#pragma unroll 1
    for (uint32_t base = 0; base < work.side; base += period) {
        if (!Cut || td_table_is_whole(data, work, base + y, first)) {
            td_store_uint2(to, td_table_row(work, base + y, mine));
        }
        if (!Cut || td_table_is_whole(data, work, base + other, first)) {
            td_store_uint2(to_other, td_table_row(work, base + other, mine));
        }
        to += step;
        to_other += step + more;
        step += (int32_t)(period * period);
    }
}

/* Decides all pairs of a lane directly, two rows at a time, so that a column is read once for both. */
__device__ inline void td_table_plain(const td_data &data, const td_table_work &work, uint32_t y,
                                      uint32_t other, int32_t first, uint32_t staged)
{
    const td_sphere *const at = &work.stage->col[td_table_place(staged)];
#pragma unroll 1
    for (uint32_t base = 0; base < work.side; base += 2 * work.align) {
        const td_sphere a = work.stage->row[base + y], b = work.stage->row[base + other];
        uint32_t bytes[4] = {0, 0, 0, 0};
#pragma unroll
        for (uint32_t k = 0; k < TD_TABLE_LANE; k++) {
            const td_sphere col = (staged % TD_TABLE_LANE + k < TD_TABLE_LANE ? at : at + 1)[k];
            const uint32_t bit = 1u << 8 * (k % 4);
            bytes[k / 4] |= td_spheres_touch(&a, &col) ? bit : 0u;
            bytes[2 + k / 4] |= td_spheres_touch(&b, &col) ? bit : 0u;
        }
        const uint32_t row = work.first_row + base;
        if (td_table_is_whole(data, work, base + y, first)) {
            td_store_uint2(td_table_element(data, row + y, first), make_uint2(bytes[0], bytes[1]));
        }
        if (td_table_is_whole(data, work, base + other, first)) {
            td_store_uint2(td_table_element(data, row + other, first),
                           make_uint2(bytes[2], bytes[3]));
        }
    }
}

/* Stores zeros for the pairs of a lane, and lists those that may touch. */
__device__ inline void td_table_zeros(const td_data &data, const td_table_work &work, uint32_t y,
                                      uint32_t other, int32_t first, uint32_t staged)
{
    td_table_rounded mine;
    td_table_take(work, staged, mine);
    if (work.cut) {
        td_table_rows<true>(data, work, y, other, first, mine);
    } else {
        td_table_rows<false>(data, work, y, other, first, mine);
    }
}

/*
 * Eight lanes compute one strip of columns in the rows of one kind, whose starts are equal modulo `align`: rows 1 and
 * 0, 2 and 2 align - 1, ... of every 2 align rows. The strip is shifted so that it starts at a multiple of `align`.
 */
template <bool Rounded>
__device__ inline void td_table_strip(const td_data &data, const td_table_work &work, uint32_t kind,
                                      uint32_t strip, uint32_t lane)
{
    const uint32_t y = kind + 1, other = kind == 0 ? 0 : 2 * work.align - kind;
    const uintptr_t start = (uintptr_t)td_table_element(data, work.first_row + y, 0);
    const uint32_t staged =
        work.align - (uint32_t)(start % work.align) + strip * TD_TABLE_STRIP + lane * TD_TABLE_LANE;
    const int32_t first = work.first_staged + (int32_t)staged;
    (Rounded ? td_table_zeros : td_table_plain)(data, work, y, other, first, staged);
}

template <bool Rounded>
__device__ inline void td_table_strips(const td_data &data, const td_table_work &work,
                                       uint32_t thread, uint32_t threads)
{
    const uint32_t strips = work.side / TD_TABLE_STRIP;
#pragma unroll 1
    for (uint32_t i = thread / TD_TABLE_LANE; i < work.align * strips;
         i += threads / TD_TABLE_LANE) {
        td_table_strip<Rounded>(data, work, i / strips, i % strips, thread % TD_TABLE_LANE);
    }
}

/*
 * Decides the pairs at the ends of the domain's rows, where no lane has eight columns: those from column 0 on, and
 * those left of the diagonal, with what the shift to sectors leaves over there. Eight threads take a row.
 */
__device__ inline void td_table_ends(const td_data &data, const td_table_work &work,
                                     uint32_t thread, uint32_t threads)
{
    const int32_t lane = (int32_t)(thread % TD_TABLE_LANE);
#pragma unroll 1
    for (uint32_t y = thread / TD_TABLE_LANE; y < work.side; y += threads / TD_TABLE_LANE) {
        const int32_t row = (int32_t)(work.first_row + y);
        if (row >= (int32_t)data.n) {
            return;
        }
        uint8_t *const start = td_table_element(data, (uint32_t)row, 0);
        const int32_t tile = work.first_staged + (int32_t)work.align;
        const int32_t begin = tile - (int32_t)((uintptr_t)start % work.align); /* of the strips */
        const auto decide = [&](int32_t col) {
            td_store_byte(start + col,
                          td_table_touch(work, y, (uint32_t)(col - work.first_staged)));
        };
        if (tile == 0 && lane < (begin & (TD_TABLE_LANE - 1)) && lane < row) {
            decide(lane);
        }
        if (work.diagonal) {
            const int32_t whole = (row - begin) & ~(TD_TABLE_LANE - 1);
            const int32_t end = begin + min(whole, (int32_t)work.side);
#pragma unroll 1
            for (int32_t col = end + lane; col < row; col += TD_TABLE_LANE) {
                if (col >= 0) {
                    decide(col);
                }
            }
        }
    }
}

/* Decides the pairs of the list, one by one. */
__device__ inline void td_table_decide(const td_data &data, const td_table_work &work,
                                       uint32_t thread, uint32_t threads)
{
    for (uint32_t i = thread; i < TD_TABLE_LANE * work.stage->listed; i += threads) {
        const uint32_t entry = work.stage->list[i / TD_TABLE_LANE];
        const uint32_t y = entry >> 16, row = work.first_row + y;
        const uint32_t staged = (entry & 0xffff) + i % TD_TABLE_LANE;
        const int32_t col = work.first_staged + (int32_t)staged;
        if (td_table_touch(work, y, staged)) {
            td_store_byte(td_table_element(data, row, col), 1);
        }
    }
}

/* A large tile: decides most pairs by their bytes, and all pairs again if the list had no room for those that may
 * touch. */
__device__ inline void td_table_large(const td_data &data, const td_table_work &work,
                                      uint32_t thread, uint32_t threads)
{
    td_table_fetch(data, work, thread, threads);
    td_table_extent(work, thread, threads);
    __syncthreads();
    if (thread == 0) {
        work.stage->scale = td_table_scale_of(work.stage->most);
    }
    __syncthreads();
    td_table_round(work, thread, threads);
    __syncthreads();
    td_table_strips<true>(data, work, thread, threads);
    __syncthreads();
    if (work.stage->listed <= TD_TABLE_LISTED) {
        td_table_decide(data, work, thread, threads);
    } else {
        td_table_strips<false>(data, work, thread, threads);
    }
}

/* A small tile. Its side is a constant: it has so little work that setting up loops over a variable side would take
 * longer. */
__device__ inline void td_table_small(const td_data &data, td_table_work work, uint32_t thread,
                                      uint32_t threads)
{
    work.side = TD_TABLE_STRIP;
    work.align = TD_TABLE_SECTOR;
    td_table_fetch(data, work, thread, threads);
    __syncthreads();
    td_table_strips<false>(data, work, thread, threads);
}

/*
 * td_collision_tile - computes the pairs of a tile.
 *
 * Shape   tile: a multiple of 64, at most 384 [cells]; block: a multiple of 32 [threads]
 */
__device__ inline void td_collision_tile(const td_data &data, td_work_tile tile)
{
    __shared__ td_table_stage stage;
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    const uint32_t threads = blockDim.x * blockDim.y;
    td_table_work work = {&stage, tile.y * tile.side, tile.side};
    /* Whole sectors, unless a kind would then have too few rows to be worth its set-up. */
    work.align = tile.side == 128 ? TD_TABLE_SECTOR / 2 : TD_TABLE_SECTOR;
    work.first_staged = (int32_t)(tile.x * tile.side - work.align);
    work.diagonal = tile.x == tile.y;
    work.has_ends = tile.x == 0 || work.diagonal;
    work.cut = work.has_ends || work.first_row + tile.side > data.n;
    if (tile.side > TD_TABLE_STRIP) {
        td_table_large(data, work, thread, threads);
    } else {
        td_table_small(data, work, thread, threads);
    }
    if (work.has_ends) {
        td_table_ends(data, work, thread, threads);
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_collision> = td_collision_tile;

#endif
