/*
 * life3_tile.cuh - life on a tetrahedron, four cells per instruction: threads slide along z with their neighbourhood in
 * registers.
 *
 * A thread has four cells beside each other, a byte each of a word. Their rows y - 1, y and y + 1 of a layer are added
 * up once, for three layers; no sum exceeds 27, so that bytes never carry.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_TILE_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_TILE_CUH

#include "workloads/automata/life3.h"
#include "workloads/rows3.cuh"
#include "workloads/tile_of.cuh"

/* A layer: what its three rows add to the neighbourhoods of four cells, and the cells themselves in the middle row. */
typedef struct td_life3_layer {
    uint32_t sums, alive;
} td_life3_layer;

/* Cells x - 1 .. x + 6 of a row, of which x - 1 .. x + 4 are right: bytes outside of the row are 0. Words of memory are
 * read where they have a cell of the row. */
__device__ inline uint64_t td_life3_window(const uint8_t *state, uint64_t start, uint32_t cells,
                                           uint32_t x)
{
    const uint64_t first = start + x - (x > 0), end = start + cells;
    const uint64_t word = first / 4 * 4;
    const uint32_t bits = (uint32_t)(first % 4) * 8;
    const uint32_t a = word < end ? *(const uint32_t *)(state + word) : 0;
    const uint32_t b = word + 4 < end ? *(const uint32_t *)(state + word + 4) : 0;
    const uint32_t c = bits == 24 && word + 8 < end ? *(const uint32_t *)(state + word + 8) : 0;
    const uint64_t low = ((uint64_t)b << 32 | a) >> bits, high = ((uint64_t)c << 32 | b) >> bits;
    const uint64_t window = high << 32 | (uint32_t)low;
    const uint32_t right = first < end ? (uint32_t)min(end - first, (uint64_t)8) : 0;
    const uint64_t inside = right < 8 ? window & ((1ull << 8 * right) - 1) : window;
    return x > 0 ? inside : inside << 8;
}

/* Input   z may lie outside of the domain */
__device__ inline td_life3_layer td_life3_layer_at(const td_data &data, uint32_t x, uint32_t y,
                                                   uint32_t z)
{
    td_life3_layer layer = {0, 0};
#pragma unroll
    for (uint32_t r = 0; r < 3; r++) {
        const td_life3_row_at row = td_life3_find_row(&data, y + r - 1, z);
        if (row.cells == 0) {
            continue;
        }
        const uint64_t window =
            td_life3_window((const uint8_t *)data.input, row.start, row.cells, x);
        const uint32_t here = (uint32_t)(window >> 8);
        layer.sums += (uint32_t)window + here + (uint32_t)(window >> 16);
        layer.alive = r == 1 ? here : layer.alive;
    }
    return layer;
}

/* Bit 7 of each byte: whether that byte of n reaches the limit. Both are below 128. */
__device__ inline uint32_t td_life3_reach(uint32_t n, uint32_t limit)
{
    return n + (0x80 - (limit & 0xff)) * 0x01010101u;
}

/* td_life3_next of four cells. */
__device__ inline uint32_t td_life3_next_four(uint32_t limits, uint32_t n, uint32_t alive)
{
    const uint32_t survives = td_life3_reach(n, limits) & ~td_life3_reach(n, limits >> 8);
    const uint32_t is_born = td_life3_reach(n, limits >> 16) & ~td_life3_reach(n, limits >> 24);
    const uint32_t mask = alive * 0xff;
    return ((survives & mask) | (is_born & ~mask)) >> 7 & 0x01010101u;
}

/*
 * Cells x .. x + 3 of row (y, z), of which those before `cells` exist, in whole words of memory: a lane takes from the
 * one before it what its word begins with. What is left at the ends of a team goes byte by byte.
 */
__device__ inline void td_life3_put(const td_data &data, const td_rows3_team &team, uint32_t x,
                                    td_life3_row_at row, uint32_t four)
{
    const uint32_t before = __shfl_up_sync(~0u, four, 1, team.lanes);
    const uint32_t shift = (uint32_t)((row.start + x) % 4);
    const uint64_t both = (uint64_t)four << 32 | before;
    const uint32_t word = (uint32_t)(both >> (32 - 8 * shift));
    uint8_t *const at = (uint8_t *)data.output + row.start + x;
    const bool has_before = team.lane > 0 || shift == 0;
    if (has_before && x + 4 <= row.cells + shift) {
        *(uint32_t *)(at - shift) = word;
    } else {
        for (uint32_t i = has_before ? 0 : shift; i < 4 && x + i < row.cells + shift; i++) {
            at[(int32_t)i - (int32_t)shift] = (uint8_t)(word >> 8 * i);
        }
    }
    if (team.lane + 1 == team.lanes) {
        for (uint32_t i = 4 - shift; i < 4 && x + i < row.cells; i++) {
            at[i] = (uint8_t)(four >> 8 * i);
        }
    }
}

/* Cells x .. x + 3 of row y, along the tile; from the first layer on in which the warp has cells. */
__device__ inline void td_life3_slide(const td_data &data, const td_work_tile3 &tile,
                                      const td_rows3_team &team, uint32_t x, uint32_t y,
                                      uint32_t first)
{
    const uint32_t end = min((tile.z + 1) * tile.side, data.n);
    const uint32_t end_x = tile.x * tile.side + tile.width;
    td_life3_layer below = td_life3_layer_at(data, x, y, first - 1);
    td_life3_layer here = td_life3_layer_at(data, x, y, first);
    for (uint32_t z = first; z < end; z++) {
        const td_life3_layer above = td_life3_layer_at(data, x, y, z + 1);
        const uint32_t n = below.sums + here.sums + above.sums;
        td_life3_row_at row = td_life3_find_row(&data, y, z);
        row.cells = min(row.cells, end_x);
        td_life3_put(data, team, x, row, td_life3_next_four(data.params[1], n, here.alive));
        below = here;
        here = above;
    }
}

/*
 * td_life3_tile - the next state of the cells of a tile. The lanes of a team are beside each other; a narrow tile has
 * several teams in a warp, whose rows follow each other.
 *
 * Shape   tile: a multiple of 4, at most 32 [cells]; block: a multiple of 32 [threads]
 * Input   data: 4 divides the addresses of the states, and each has room for a whole last word
 */
__device__ inline void td_life3_tile(const td_data &data, td_work_tile3 tile)
{
    const td_rows3_team team = td_rows3_team_of(tile);
    const uint32_t per_warp = 32 / team.lanes;
    const uint32_t first_z = tile.z * tile.side, end_z = min(first_z + tile.side, data.n);
    for (uint32_t row = team.first; row < tile.side; row += team.step) {
        const uint32_t y = tile.y * tile.side + row;
        const uint32_t first_y = y - row % per_warp; /* of the warp */
        const uint32_t end_x = min((tile.x + 1) * tile.side, data.n);
        const uint32_t stop = tile.width > tile.side ? data.n : end_x;
        for (uint32_t x = tile.x * tile.side; x < stop; x += 4 * team.lanes) {
            const uint32_t first = max(first_z, first_y + x);
            if (first >= end_z) {
                break;
            }
            td_life3_slide(data, tile, team, x + 4 * team.lane, y, first);
        }
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_life3> = td_life3_tile;

#endif
