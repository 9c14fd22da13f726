/*
 * life3_strip.cuh - life on a tetrahedron, four cells per register: a thread slides along z with 16 cells of a few
 * rows.
 *
 * A byte holds the sum of a neighbourhood, at most 27, so four sums are added at once. Nothing is staged: the cells
 * beside a thread's own are read again, from L1. A layer is summed once, for the three layers that see it.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_STRIP_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_STRIP_CUH

#include "workloads/automata/life3.h"
#include "workloads/automata/state/bits.h"
#include "workloads/tile_of.cuh"

/* Of a thread. It reads two more rows and two more layers. */
enum {
    TD_LIFE3_CELLS = 16, /* in each row */
    TD_LIFE3_WORDS = TD_LIFE3_CELLS / 4,
    TD_LIFE3_ROWS = 2,
    TD_LIFE3_LAYERS = 8,
};

/* A thread's work: cells x .. x + 15 of rows y, y + 1 ... in the layers [z, end). */
struct td_life3_item {
    uint32_t x, y, z, end;
};

/* A number per cell, four in each word. */
struct td_life3_bytes {
    uint32_t word[TD_LIFE3_WORDS];
};

/* What a layer adds to the neighbourhoods of a thread's cells, and its own cells. */
struct td_life3_layer {
    td_life3_bytes sum[TD_LIFE3_ROWS], alive[TD_LIFE3_ROWS];
};

/* The limits of a rule for four cells: a byte's highest bit is set where its sum, `from` and, if the cell is alive,
 * `if_alive` add up to 128 or more. */
struct td_life3_limit {
    uint32_t from, if_alive;

    __device__ td_life3_limit(uint32_t dead, uint32_t alive)
        : from((128 - dead) * 0x01010101), if_alive(dead - alive)
    {
    }

    __device__ uint32_t reached(uint32_t sum, uint32_t alive) const
    {
        return alive * if_alive + sum + from;
    }
};

/* The rule by its limits, see td_setup_rule. */
struct td_life3_rule {
    td_life3_limit low, high;

    __device__ explicit td_life3_rule(uint32_t limits)
        : low(limits >> 16 & 0xff, limits & 0xff), high(limits >> 24, limits >> 8 & 0xff)
    {
    }

    __device__ uint32_t next(uint32_t sum, uint32_t alive) const
    {
        return (low.reached(sum, alive) & ~high.reached(sum, alive) & 0x80808080) >> 7;
    }
};

/*
 * The lines of the rows y - 1, y ... of a layer, counted from a line that all layers of a tile come after. Each row has
 * a cell less than the one before, and a cell more in the next layer.
 */
struct td_life3_walk {
    uint32_t row[TD_LIFE3_ROWS + 2];
    uint32_t cells;  /* places in row y - 1 */
    uint32_t places; /* in the layer's first row */
    uint32_t lines;  /* of the layer */

    __device__ void find_rows()
    {
#pragma unroll
        for (uint32_t r = 0; r <= TD_LIFE3_ROWS; r++) {
            row[r + 1] = row[r] + td_lines3(cells - r);
        }
    }

    __device__ td_life3_walk(uint32_t y, uint32_t z, uint64_t origin)
        : cells(z - y + 5), places(z + 5), lines(td_lines3_of_rows(z + 5))
    {
        row[0] = (uint32_t)(td_lines3_before(y, z + 4) - origin);
        find_rows();
    }

    __device__ void up()
    {
        lines += td_lines3(++places);
        row[0] += lines - td_lines3(++cells);
        find_rows();
    }
};

/* Sums of three: each cell of a row with its left and right neighbours. */
__device__ inline td_life3_bytes td_life3_sum_row(const uint8_t *at, td_life3_bytes *alive)
{
    const uint4 own = __ldg((const uint4 *)at);
    const uint32_t all[] = {__ldg((const uint32_t *)at - 1),
                            own.x,
                            own.y,
                            own.z,
                            own.w,
                            __ldg((const uint32_t *)at + TD_LIFE3_WORDS)};
    td_life3_bytes sum;
#pragma unroll
    for (uint32_t w = 0; w < TD_LIFE3_WORDS; w++) {
        const uint32_t here = all[w + 1];
        sum.word[w] =
            here + __funnelshift_l(all[w], here, 8) + __funnelshift_r(here, all[w + 2], 8);
        alive->word[w] = here;
    }
    return sum;
}

__device__ inline void td_life3_sum_layer(const uint8_t *state, const td_life3_walk &walk,
                                          td_life3_layer &layer)
{
    td_life3_bytes rows[TD_LIFE3_ROWS + 2], alive[TD_LIFE3_ROWS + 2];
#pragma unroll
    for (uint32_t r = 0; r < TD_LIFE3_ROWS + 2; r++) {
        rows[r] = td_life3_sum_row(state + (uint64_t)walk.row[r] * TD_LINE3, &alive[r]);
    }
#pragma unroll
    for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
#pragma unroll
        for (uint32_t w = 0; w < TD_LIFE3_WORDS; w++) {
            layer.sum[r].word[w] = rows[r].word[w] + rows[r + 1].word[w] + rows[r + 2].word[w];
        }
        layer.alive[r] = alive[r + 1];
    }
}

/* Stores 16 cells of a row, of which `left` are in the domain; the others stay dead. */
__device__ inline void td_life3_store(uint8_t *to, td_life3_bytes cells, int32_t left)
{
    if (left < TD_LIFE3_CELLS) {
#pragma unroll
        for (int32_t w = 0; w < TD_LIFE3_WORDS; w++) {
            cells.word[w] &= td_lowest_bits(8 * (left - 4 * w));
        }
    }
    if (left > 0) {
        *(uint4 *)to = make_uint4(cells.word[0], cells.word[1], cells.word[2], cells.word[3]);
    }
}

/* The next states in layer z, from the sums of three layers. row: the lines of rows y, y + 1 ... */
__device__ inline void td_life3_next_layer(const td_life3_rule &rule, const td_life3_item &item,
                                           const td_life3_layer &below, const td_life3_layer &here,
                                           const td_life3_layer &above, uint32_t z,
                                           const uint32_t *row, uint8_t *output)
{
    const int32_t left = (int32_t)(z + 1 - item.x - item.y);
#pragma unroll
    for (int32_t r = 0; r < TD_LIFE3_ROWS; r++) {
        td_life3_bytes next;
#pragma unroll
        for (uint32_t w = 0; w < TD_LIFE3_WORDS; w++) {
            const uint32_t sum = below.sum[r].word[w] + here.sum[r].word[w] + above.sum[r].word[w];
            next.word[w] = rule.next(sum, here.alive[r].word[w]);
        }
        td_life3_store(output + (uint64_t)row[r] * TD_LINE3, next, left - r);
    }
}

/* input, output: the states from cell x of the line that rows are counted from. */
__device__ inline void td_life3_slide(const td_life3_rule &rule, const td_life3_item &item,
                                      uint64_t origin, const uint8_t *input, uint8_t *output)
{
    td_life3_layer layers[3];
    td_life3_walk walk(item.y, item.z - 1, origin);
    td_life3_sum_layer(input, walk, layers[0]);
    walk.up();
    td_life3_sum_layer(input, walk, layers[1]);
    for (uint32_t z = item.z;;) {
#pragma unroll
        for (uint32_t i = 0; i < 3; i++) { /* so that no layer moves from register to register */
            uint32_t row[TD_LIFE3_ROWS];
#pragma unroll
            for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
                row[r] = walk.row[r + 1];
            }
            walk.up();
            td_life3_sum_layer(input, walk, layers[(i + 2) % 3]);
            td_life3_next_layer(rule, item, layers[i], layers[(i + 1) % 3], layers[(i + 2) % 3], z,
                                row, output);
            if (++z == item.end) {
                return;
            }
        }
    }
}

/*
 * td_life3_strip_tile - the next state of the cells of a tile.
 *
 * Shape   tile: a multiple of 16 [cells]; block: any
 */
__device__ inline void td_life3_strip_tile(const td_data &data, td_work_tile3 tile)
{
    const uint32_t first_x = tile.x * tile.side, first_y = tile.y * tile.side;
    const uint32_t first_z = tile.z * tile.side, end_z = min(first_z + tile.side, data.n);
    if (end_z <= first_x + first_y) {
        return; /* no cell of it is in the domain */
    }
    const uint32_t width = min(tile.width, end_z - first_y - first_x); /* of the longest row */
    const uint32_t along = (width + TD_LIFE3_CELLS - 1) / TD_LIFE3_CELLS;
    const uint32_t in_layers = along * (tile.side / TD_LIFE3_ROWS),
                   items = in_layers * (tile.side / TD_LIFE3_LAYERS);
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const td_life3_rule rule(data.params[1]);
    const uint64_t origin = td_lines3_before(0, first_z + 3);
    const uint8_t *const input = (const uint8_t *)data.input + origin * TD_LINE3;
    uint8_t *const output = (uint8_t *)data.output + origin * TD_LINE3;
    for (uint32_t i = td_thread_of_block(); i < items; i += threads) {
        td_life3_item item;
        item.x = first_x + i % along * TD_LIFE3_CELLS;
        item.y = first_y + i % in_layers / along * TD_LIFE3_ROWS;
        item.z = max(first_z + i / in_layers * TD_LIFE3_LAYERS, item.x + item.y);
        item.end = min(first_z + (i / in_layers + 1) * TD_LIFE3_LAYERS, end_z);
        if (item.z < item.end) {
            td_life3_slide(rule, item, origin, input + item.x, output + item.x);
        }
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_life3, TD_ROW_life3_strip_u8> = td_life3_strip_tile;

#endif
