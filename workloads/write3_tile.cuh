/*
 * write3_tile.cuh - constants into a tetrahedron, at the speed of the memory.
 *
 * Memory takes whole sectors of 32 bytes; of a sector that is written in part it has to read the rest first, and half
 * a million such reads between the writes take a third of the time (N = 1024).
 *
 * In the packed layout no sector need be written in part: what lies between the rows of a tile are the rows of others,
 * and a tile writes from line to line. In the full layout each row ends at a place of its own. A tile, or all tiles of
 * a block that has many, reads the sectors of all ends at once before it writes, and then writes them whole.
 */
#ifndef TD_WORKLOADS_WRITE3_TILE_CUH
#define TD_WORKLOADS_WRITE3_TILE_CUH

#include "rows3.cuh"
#include "tile_of.cuh"
#include "write3.h"

enum {
    TD_WRITE3_SECTOR = 8, /* [elements] */
    TD_WRITE3_ENDS = TD_WRITE3_MOST * TD_WRITE3_MOST,
    TD_WRITE3_TILES = TD_WRITE3_ENDS / 16, /* of the smallest, 4 x 4 rows */
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

/* Elements from `at` on, as many as are held in shared memory, or as there are. Input: at is a line's first. */
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

/* Whole rows, which lie behind each other in each layer: a warp for a layer, a thread for a piece of it. */
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

/* Where the row's last sector starts, unless it ends at a sector's end. Input: sectors do not cross rows. */
__device__ inline uint32_t td_write3_last(const td_rows3_row &row)
{
    return row.end / TD_WRITE3_SECTOR * TD_WRITE3_SECTOR;
}

/* Whether the row ends within a sector. */
__device__ inline bool td_write3_has_end(const td_rows3_row &row)
{
    return row.first < row.end && td_write3_last(row) < row.end;
}

/* Asks for the sectors at the ends of all rows of the tiles as they are now, into ends[2 i] of the i-th row and the
 * place behind it. */
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

/* Waits for what all threads of the block have asked for. */
__device__ inline void td_write3_answered()
{
    td_wait_copies();
    __syncthreads();
}

/* Elements x .. x + 3 of a row's last sector. What is not in the domain stays as it was read; nobody writes it. */
__device__ inline int4 td_write3_end(const td_rows3_row &row, uint32_t x, int4 before)
{
    return make_int4(x < row.end ? 1 : before.x, x + 1 < row.end ? 1 : before.y,
                     x + 2 < row.end ? 1 : before.z, x + 3 < row.end ? 1 : before.w);
}

/* Rows in whole sectors, the last one, of which a part stays as it was, by two lanes. With the others it would cost
 * every round a branch: a fifth of the time at N = 512, for less than a hundredth at N = 2048. */
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

/* Whether no sector crosses the end of a row's place, nor of a tile. */
__device__ inline bool td_write3_has_sectors(const td_data &data, uint32_t side, uint32_t width)
{
    return data.full && data.n % TD_WRITE3_SECTOR == 0 &&
           (width > side || side % TD_WRITE3_SECTOR == 0);
}

/* For the ends of as many rows as the largest tile has, or for ones. */
static_assert(TD_WRITE3_PIECE / 4 <= 2 * TD_WRITE3_ENDS);
__device__ inline int4 *td_write3_stage()
{
    alignas(128) __shared__ int4 stage[2 * TD_WRITE3_ENDS];
    return stage;
}

/*
 * td_write3_tile - ones to the cells of a tile.
 *
 * Packed comes first: behind the others the compiler makes a loop of td_rows3_in_lines that takes 15 % longer (CUDA
 * 13.0).
 *
 * Shape   tile: a multiple of 4, at most 32 [cells]; block: a multiple of 32 [threads]
 * Input   data: 128 divides the address of the output
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

/*
 * Reads between writes cost more than reads before them. Blocks that all run at once, each with many tiles, read the
 * ends of as many tiles as they have room for before they write the first.
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
        __shared__ td_work_tile3 work[TD_WRITE3_TILES];
        int4 *const ends = td_write3_stage();
        const uint32_t rows = side * side, most = TD_WRITE3_ENDS / rows;
        while (const uint32_t count = tiles.next(work, most)) {
            __syncthreads();
            td_write3_ask(data, work, count, ends);
            td_write3_answered();
            for (uint32_t i = 0; i < count; i++) {
                td_write3_sectors(data, work[i], ends + 2 * rows * i);
            }
            __syncthreads(); /* the next tiles go where these were, and so do their ends */
        }
    }
};

#endif
