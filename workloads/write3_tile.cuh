/*
 * write3_tile.cuh - writes constants into a tetrahedron, at memory speed.
 *
 * Memory writes whole sectors of 32 bytes: before it writes part of a sector, it has to read the rest. Half a million
 * such reads between the writes take a third of the time (N = 1024).
 *
 * In the packed layout no sector needs to be written in part: the gaps between the rows of a tile are rows of other
 * tiles, so a tile writes from line to line. In the full layout each row ends at a place of its own. A tile, or all
 * tiles of a block that has many, first reads the sectors at all row ends at once and then writes them whole. Blocks
 * that take whole rows from a counter write all tails of rows first, for all tiles, and then only whole lines.
 */
#ifndef TD_WORKLOADS_WRITE3_TILE_CUH
#define TD_WORKLOADS_WRITE3_TILE_CUH

#include "rows3.cuh"
#include "tile_of.cuh"
#include "write3.h"

enum {
    TD_WRITE3_SECTOR = 8, /* [elements] */
    TD_WRITE3_ENDS = TD_WRITE3_MOST * TD_WRITE3_MOST,
    TD_WRITE3_TILES = TD_WRITE3_ENDS / 16, /* tiles of 4 x 4 rows, the smallest */
    TD_WRITE3_PIECE = 4 * 256              /* ones in shared memory [elements] */
};

__device__ inline void td_write3_ones(int32_t *at)
{
    *(int4 *)at = make_int4(1, 1, 1, 1);
}

struct td_write3_does {
    __device__ static void quads(int32_t *head, int32_t *tail, const td_rows3_team &team)
    {
        for (int32_t *at = head + 4 * team.lane; at < tail; at += 4 * team.lanes) {
            td_write3_ones(at);
        }
    }

    __device__ static void one(int32_t *at)
    {
        *at = 1;
    }
};

/* ---- packed ---- */

/* Stores ones from `at` up to `end`, but at most as many as shared memory holds. Input: `at` is the start of a line. */
__device__ inline void td_write3_piece(int32_t *output, const int4 *ones, uint64_t at, uint64_t end)
{
    const uint32_t count = (uint32_t)min(end - at, (uint64_t)TD_WRITE3_PIECE);
    if (count >= 4) {
        td_bulk_store(output + at, ones, count / 4 * 16);
    }
#pragma unroll 1
    for (uint32_t i = count / 4 * 4; i < count; i++) { /* at the end of the tetrahedron */
        output[at + i] = 1;
    }
}

/* Whole rows, which are contiguous in each layer: one warp per layer, one thread per piece of it. */
__device__ inline void td_write3_layers(const td_data &data, const td_work_tile3 &tile, int4 *ones)
{
    const td_rows3_team team = td_rows3_team_of(tile);
    const uint32_t threads = team.step * team.lanes;
    const uint32_t first_z = tile.z * tile.side;
    for (uint32_t i = td_thread_of_block(); i < TD_WRITE3_PIECE / 4; i += threads) {
        ones[i] = make_int4(1, 1, 1, 1);
    }
    td_bulk_ready();
    for (uint32_t z = first_z + team.first; z < min(first_z + tile.side, data.n); z += team.step) {
        const td_rows3_span span = td_rows3_layer(data, tile, z);
        for (uint64_t at = span.first + TD_WRITE3_PIECE * team.lane; at < span.end;
             at += TD_WRITE3_PIECE * team.lanes) {
            td_write3_piece((int32_t *)data.output, ones, at, span.end);
        }
    }
    td_bulk_wait();
}

/* ---- full ---- */

/* Start of the sector that the row ends in; the row's end if it ends at a sector boundary. Input: sectors do not cross
 * rows. */
__device__ inline uint32_t td_write3_last(const td_rows3_row &row)
{
    return row.end / TD_WRITE3_SECTOR * TD_WRITE3_SECTOR;
}

/* Whether the row ends within a sector. */
__device__ inline bool td_write3_has_end(const td_rows3_row &row)
{
    return row.first < row.end && td_write3_last(row) < row.end;
}

/* Starts to copy the sectors at the ends of all rows of the tiles, as they are now: that of the i-th row to ends[2 i]
 * and ends[2 i + 1]. */
__device__ inline void td_write3_ask(const td_data &data, const td_work_tile3 *tiles,
                                     uint32_t count, int4 *ends)
{
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t rows = tiles[0].side * tiles[0].side;
    for (uint32_t i = td_thread_of_block(); i < count * rows; i += threads) {
        const td_work_tile3 &tile = tiles[i / rows];
        const td_rows3_row row =
            td_rows3_row_of(data, tile, td_rows3_walk_of(tile, i % rows, rows));
        if (td_write3_has_end(row)) {
            const int32_t *const at = td_rows3_start(data, row) + td_write3_last(row);
            td_copy_async(&ends[2 * i], at);
            td_copy_async(&ends[2 * i + 1], at + 4);
        }
    }
}

/* Waits for the copies that all threads of the block have started. */
__device__ inline void td_write3_answered()
{
    td_wait_copies();
    __syncthreads();
}

/* Elements x .. x + 3 of a row's last sector. Elements outside of the domain keep the value that was read; no thread
 * changes them. */
__device__ inline int4 td_write3_end(const td_rows3_row &row, uint32_t x, int4 before)
{
    return make_int4(x < row.end ? 1 : before.x, x + 1 < row.end ? 1 : before.y,
                     x + 2 < row.end ? 1 : before.z, x + 3 < row.end ? 1 : before.w);
}

/* Stores rows in whole sectors. Two lanes store the last one, part of which keeps its values. Storing it along with the
 * others would cost a branch in every round: a fifth of the time at N = 512, to save less than a hundredth at N =
 * 2048. */
__device__ inline void td_write3_sectors(const td_data &data, const td_work_tile3 &tile,
                                         const int4 *ends)
{
    const td_rows3_team team = td_rows3_team_of(tile);
    td_rows3_walk walk = td_rows3_walk_of(tile, team.first, team.step);
    for (; td_rows3_goes_on(walk); td_rows3_step(walk)) {
        const td_rows3_row row = td_rows3_row_of(data, tile, walk);
        const uint32_t last = td_write3_last(row);
        int32_t *const start = td_rows3_start(data, row);
        for (uint32_t x = row.first + 4 * team.lane; x < last; x += 4 * team.lanes) {
            td_write3_ones(start + x);
        }
        if (td_write3_has_end(row) && team.lane < 2) {
            const uint32_t x = last + 4 * team.lane;
            *(int4 *)(start + x) = td_write3_end(row, x, ends[2 * walk.at + team.lane]);
        }
    }
}

enum { TD_WRITE3_TAIL = 64 }; /* the last elements of a row, from a multiple of this on */

__device__ inline uint32_t td_write3_tail(const td_rows3_row &row)
{
    return row.end / TD_WRITE3_TAIL * TD_WRITE3_TAIL;
}

/* Stores the tails of all rows of the tiles. `ends`: as from td_write3_ask. */
__device__ inline void td_write3_tails(const td_data &data, const td_work_tile3 *tiles,
                                       uint32_t count, const int4 *ends)
{
    constexpr uint32_t lanes = TD_WRITE3_TAIL / 4;
    const uint32_t thread = td_thread_of_block(), lane = thread % lanes;
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t rows = tiles[0].side * tiles[0].side;
    for (uint32_t i = thread / lanes; i < count * rows; i += threads / lanes) {
        const td_work_tile3 &tile = tiles[i / rows];
        const td_rows3_row row =
            td_rows3_row_of(data, tile, td_rows3_walk_of(tile, i % rows, rows));
        const uint32_t last = td_write3_last(row), x = td_write3_tail(row) + 4 * lane;
        int32_t *const at = td_rows3_start(data, row) + x;
        if (x < last) {
            td_write3_ones(at);
        } else if (td_write3_has_end(row) && x < last + TD_WRITE3_SECTOR) {
            *(int4 *)at = td_write3_end(row, x, ends[2 * i + lane % 2]);
        }
    }
}

/* Stores the rows of a tile up to their tails. */
__device__ inline void td_write3_heads(const td_data &data, const td_work_tile3 &tile, int4 *ones)
{
    const uint32_t thread = td_thread_of_block();
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t rows = tile.side * tile.side;
    for (uint32_t i = thread; i < TD_WRITE3_PIECE / 4; i += threads) {
        ones[i] = make_int4(1, 1, 1, 1);
    }
    td_bulk_ready();
    for (uint32_t i = thread; i < rows; i += threads) {
        const td_rows3_row row = td_rows3_row_of(data, tile, td_rows3_walk_of(tile, i, rows));
        const uint32_t end = td_write3_tail(row);
        int32_t *const start = td_rows3_start(data, row);
        for (uint32_t x = row.first; x < end; x += TD_WRITE3_PIECE) {
            td_bulk_store(start + x, ones, 4 * min(end - x, (uint32_t)TD_WRITE3_PIECE));
        }
    }
    td_bulk_wait();
}

/* Whether no sector crosses the end of a row's storage or of a tile. */
__device__ inline bool td_write3_has_sectors(const td_data &data, uint32_t side, uint32_t width)
{
    return data.full && data.n % TD_WRITE3_SECTOR == 0 &&
           (width > side || side % TD_WRITE3_SECTOR == 0);
}

/* Shared memory for the row ends of the largest tile, or for a piece of ones. */
static_assert(TD_WRITE3_PIECE / 4 <= 2 * TD_WRITE3_ENDS);
__device__ inline int4 *td_write3_stage()
{
    alignas(128) __shared__ int4 stage[2 * TD_WRITE3_ENDS];
    return stage;
}

/*
 * td_write3_tile - stores 1 in the cells of a tile.
 *
 * The packed branches come first: after the others, the loop that the compiler makes of td_rows3_in_lines takes 15 %
 * longer (CUDA 13.0).
 *
 * Shape   tile: a multiple of 4, at most 32 [cells]; block: a multiple of 32 [threads]
 * Input   data: the address of the output is a multiple of 128
 */
__device__ inline void td_write3_tile(const td_data &data, td_work_tile3 tile)
{
    int4 *const stage = td_write3_stage();
    if (!data.full && tile.width > tile.side) {
        td_write3_layers(data, tile, stage);
    } else if (!data.full) {
        td_rows3_in_lines<td_write3_does>(data, tile);
    } else if (td_write3_has_sectors(data, tile.side, tile.width)) {
        td_write3_ask(data, &tile, 1, stage);
        td_write3_answered();
        td_write3_sectors(data, tile, stage);
    } else {
        td_rows3_anywhere<td_write3_does>(data, tile);
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_write3> = td_write3_tile;
template <>
inline constexpr auto td_blocked_tile_of<TD_WORKLOAD_write3> = td_rows3_in_tile<td_write3_does>;

/* Calls does(work, count, ends) for the tiles of a list, many at a time, with the ends of their rows. */
template <typename Tiles, typename Does>
__device__ inline void td_write3_many(const td_data &data, uint32_t side, Tiles tiles, Does does)
{
    __shared__ td_work_tile3 work[TD_WRITE3_TILES];
    int4 *const ends = td_write3_stage();
    const uint32_t most = TD_WRITE3_ENDS / (side * side);
    while (const uint32_t count = tiles.next(work, most)) {
        __syncthreads();
        td_write3_ask(data, work, count, ends);
        td_write3_answered();
        does(work, count, ends);
        __syncthreads(); /* before the next tiles and their ends overwrite these */
    }
}

/*
 * Reads between writes cost more than reads before them. Blocks that are all resident at once, with many tiles each,
 * read the row ends of as many tiles as they have room for before they write the first.
 */
template <>
struct td_tiles_at_once<td_write3_tile> {
    static constexpr bool exists = true;

    __device__ static bool fits(const td_data &data, uint32_t side, uint32_t width)
    {
        return td_write3_has_sectors(data, side, width);
    }

    template <typename Tiles>
    __device__ static void run(const td_data &data, uint32_t side, Tiles tiles)
    {
        td_write3_many(data, side, tiles,
                       [&](const td_work_tile3 *work, uint32_t count, int4 *ends) {
                           for (uint32_t i = 0; i < count; i++) {
                               td_write3_sectors(data, work[i], ends + 2 * side * side * i);
                           }
                       });
    }
};

/*
 * With whole rows, blocks write the tails of all rows first, and then the rest in whole lines. Tails of up to 256 bytes
 * take less time than tails of up to 128 or 512. With few rows, or many in a tile, it takes longer than row by row.
 */
template <>
struct td_tiles_ahead<td_write3_tile> {
    static constexpr bool exists = true;

    __device__ static bool fits(const td_data &data, uint32_t side, uint32_t width)
    {
        return data.full && data.n % TD_WRITE3_TAIL == 0 && data.n >= 384 && side <= 16 &&
               width > side;
    }

    template <typename Tiles>
    __device__ static void ahead(const td_data &data, uint32_t side, Tiles tiles)
    {
        td_write3_many(data, side, tiles,
                       [&](const td_work_tile3 *work, uint32_t count, int4 *ends) {
                           td_write3_tails(data, work, count, ends);
                       });
    }

    __device__ static void rest(const td_data &data, const td_work_tile3 &tile)
    {
        td_write3_heads(data, tile, td_write3_stage());
    }
};

#endif
