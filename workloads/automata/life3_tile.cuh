/*
 * life3_tile.cuh - life on a tetrahedron, four cells per instruction: threads slide along z with their neighbourhood in
 * registers. Bits have a file of their own.
 *
 * A lane has eight cells beside each other, a byte each of two words, in four rows. Rows of a layer are added up once,
 * for three layers; what is beside a lane's cells is in the sums of the lanes beside it. No sum exceeds 27, so that
 * bytes never carry. Rows start anywhere in memory: lanes read and write whole words, and shift them.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_TILE_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_TILE_CUH

#include "life3_bits.cuh"
#include "workloads/tile_of.cuh"

enum {
    TD_LIFE3_CELLS = 8,
    TD_LIFE3_NARROW = 8, /* lanes for 32 cells, with one on either side */
    TD_LIFE3_WIDE = 16,
    TD_LIFE3_STRIP =
        TD_LIFE3_CELLS * (TD_LIFE3_WIDE - 3), /* written in whole words, wherever rows start */
    TD_LIFE3_NOWHERE = 1 << 24                /* behind every row */
};

/* A lane's cells: from x on, in the rows from y on. Its team writes cells [first, end) of a row. */
typedef struct td_life3_lane {
    uint32_t lanes; /* of the team */
    int32_t x, y;
    int32_t first, end;
} td_life3_lane;

/* Where rows y of a layer lie. */
typedef struct td_life3_place {
    uint64_t start; /* of row y */
    uint32_t pitch; /* to the next row; from there less by `less` */
    uint32_t less;
    int32_t cells; /* of row y, and of each further one 1 less; 0 or less: there are none */
} td_life3_place;

/* Cells of a lane in a row, or sums. */
typedef struct td_life3_eight {
    uint32_t word[2];
} td_life3_eight;

/* A layer: what each row's three rows of it add to neighbourhoods, and the cells themselves. */
typedef struct td_life3_layer {
    td_life3_eight sums[TD_LIFE3_ROWS], alive[TD_LIFE3_ROWS];
} td_life3_layer;

/* Input   y and z may lie outside of the domain. Exact: for N up to 46340, as all sizes that fit into a memory */
__device__ inline td_life3_place td_life3_place_of(const td_data &data, uint32_t y, uint32_t z)
{
    td_life3_place place;
    const int32_t rows = (int32_t)(y * (2 * z + 3 - y)) / 2; /* negative far from the domain */
    place.start = data.full ? (uint64_t)(z * data.row_scale + y) * data.n
                            : td_tetra_index(0, 0, z) + (uint64_t)(int64_t)rows;
    place.pitch = data.full ? data.n : z - y + 1;
    place.less = data.full ? 0 : 1;
    place.cells = z < data.n ? (int32_t)(z - y + 1) : -TD_LIFE3_NOWHERE;
    return place;
}

/* The same of the next layer. */
__device__ inline td_life3_place td_life3_above(const td_data &data, uint32_t y, uint32_t z,
                                                const td_life3_place &place)
{
    td_life3_place above = place;
    above.start += data.full ? (uint64_t)data.n * data.n : (uint64_t)((z + 1) * (z + 2) / 2 + y);
    above.pitch += place.less;
    above.cells = z + 1 < data.n ? (int32_t)(z - y + 2) : -TD_LIFE3_NOWHERE;
    return above;
}

/* The first word of a row's cells. */
__device__ inline uint8_t *td_life3_words(const void *state, uint64_t at)
{
    return (uint8_t *)state + (at & ~(uint64_t)3);
}

/* The cells at `at` that a row has: so many are left of it. A lane reads for the one before it, too. */
__device__ inline td_life3_eight td_life3_get(const td_data &data, const td_life3_lane &lane,
                                              uint64_t at, int32_t left)
{
    const bool reads = left > (lane.x > 0 ? -4 : 0); /* or words that are masked */
    const uint32_t *const words = (const uint32_t *)td_life3_words(data.input, reads ? at : 0);
    const uint32_t behind = __shfl_down_sync(~0u, words[0], 1, lane.lanes);
    const uint32_t word[3] = {words[0], words[1], behind};
    td_life3_eight cells;
#pragma unroll
    for (int32_t w = 0; w < 2; w++) {
        const uint32_t outside = (uint32_t)max(32 + 32 * w - 8 * left, 0); /* bits */
        cells.word[w] = __funnelshift_r(word[w], word[w + 1], (uint32_t)at * 8) &
                        __funnelshift_rc(~0u, 0, outside);
    }
    return cells;
}

__device__ inline td_life3_layer td_life3_layer_of(const td_data &data, const td_life3_lane &lane,
                                                   const td_life3_place &place)
{
    td_life3_layer layer;
    td_life3_eight row[TD_LIFE3_ROWS + 2]; /* from y - 1 on */
    uint32_t pitch = place.pitch + place.less;
    uint64_t at = place.start + (uint32_t)lane.x - pitch;
    const int32_t left = place.cells - lane.x;
    row[0] = td_life3_get(data, lane, at, lane.y > 0 ? left + 1 : -TD_LIFE3_NOWHERE);
#pragma unroll
    for (int32_t r = 1; r < TD_LIFE3_ROWS + 2; r++) {
        at += pitch;
        pitch -= place.less;
        row[r] = td_life3_get(data, lane, at, left + 1 - r);
    }
#pragma unroll
    for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
#pragma unroll
        for (uint32_t w = 0; w < 2; w++) {
            layer.sums[r].word[w] = row[r].word[w] + row[r + 1].word[w] + row[r + 2].word[w];
        }
        layer.alive[r] = row[r + 1];
    }
    return layer;
}

/* Sums of two rows along x. */
__device__ inline void td_life3_along_x(td_life3_eight *n, uint32_t lanes)
{
    const uint32_t first = td_permute<0x7070>(n[0].word[0], n[0].word[1]); /* the outer cells */
    const uint32_t second = td_permute<0x7070>(n[1].word[0], n[1].word[1]);
    const uint32_t ends = td_permute<0x5410>(first, second);
    const uint32_t before = __shfl_up_sync(~0u, ends, 1, lanes);
    const uint32_t behind = __shfl_down_sync(~0u, ends, 1, lanes);
    const uint32_t left[2] = {td_permute<0x6541>(before, n[0].word[0]),
                              td_permute<0x6543>(before, n[1].word[0])};
    const uint32_t right[2] = {td_permute<0x4321>(n[0].word[1], behind),
                               td_permute<0x6321>(n[1].word[1], behind)};
#pragma unroll
    for (uint32_t r = 0; r < 2; r++) {
        const uint32_t a = n[r].word[0], b = n[r].word[1];
        n[r].word[0] = left[r] + a + td_permute<0x4321>(a, b);
        n[r].word[1] = td_permute<0x6543>(a, b) + b + right[r];
    }
}

/* The rule: what is added to sums so that bit 7 of a byte says whether they reach the lower limit, and the upper one,
 * of dead cells; and by how much it differs for those that live. */
typedef struct td_life3_rule {
    uint32_t low, high, low_alive, high_alive;
} td_life3_rule;

__device__ inline td_life3_rule td_life3_rule_of(uint32_t limits)
{
    const uint32_t low = limits >> 16 & 0xff, high = limits >> 24;
    return {(0x80 - low) * 0x01010101, (0x80 - high) * 0x01010101, low - (limits & 0xff),
            high - (limits >> 8 & 0xff)};
}

/* td_life3_next of four cells. */
__device__ inline uint32_t td_life3_next_four(const td_life3_rule &rule, uint32_t n, uint32_t alive)
{
    const uint32_t low = n + rule.low + alive * rule.low_alive;
    const uint32_t high = n + rule.high + alive * rule.high_alive;
    return (low & ~high & 0x80808080) >> 7;
}

/* A lane's cells of a row to `at`, in whole words, which begin with cells of the lane before. Where the row begins or
 * ends, those that it has, byte by byte. */
__device__ inline void td_life3_put(const td_data &data, const td_life3_lane &lane, uint64_t at,
                                    int32_t cells, td_life3_eight next)
{
    const uint32_t before = __shfl_up_sync(~0u, next.word[1], 1, lane.lanes);
    const uint32_t shift = (uint32_t)at * 8;
    const uint32_t low = __funnelshift_l(before, next.word[0], shift);
    const uint32_t high = __funnelshift_l(next.word[0], next.word[1], shift);
    uint8_t *const to = td_life3_words(data.output, at);
    const int32_t x = lane.x - (int32_t)(at % 4) - lane.first;
    const int32_t end = min(lane.end, cells) - lane.first;
    if ((uint32_t)x < (uint32_t)max(end - (TD_LIFE3_CELLS - 1), 0)) {
        ((uint32_t *)to)[0] = low;
        ((uint32_t *)to)[1] = high;
        return;
    }
    const uint64_t both = (uint64_t)high << 32 | low;
#pragma unroll 1
    for (int32_t i = max(-x, 0); i < min(end - x, (int32_t)TD_LIFE3_CELLS); i++) {
        to[i] = (uint8_t)(both >> 8 * i);
    }
}

/* The layers [z, end) of a lane's cells. */
__device__ inline void td_life3_slide(const td_data &data, const td_life3_lane &lane, uint32_t z,
                                      uint32_t end)
{
    const td_life3_rule rule = td_life3_rule_of(data.params[1]);
    const uint32_t y = (uint32_t)lane.y;
    td_life3_layer below = td_life3_layer_of(data, lane, td_life3_place_of(data, y, z - 1));
    td_life3_place place = td_life3_place_of(data, y, z);
    td_life3_layer here = td_life3_layer_of(data, lane, place);
#pragma unroll 2
    for (; z < end; z++) {
        const td_life3_place next_place = td_life3_above(data, y, z, place);
        const td_life3_layer above = td_life3_layer_of(data, lane, next_place);
        td_life3_eight n[TD_LIFE3_ROWS];
#pragma unroll
        for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
#pragma unroll
            for (uint32_t w = 0; w < 2; w++) {
                n[r].word[w] = below.sums[r].word[w] + here.sums[r].word[w] + above.sums[r].word[w];
            }
        }
        uint64_t at = place.start + (uint32_t)lane.x;
#pragma unroll
        for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
            if (r % 2 == 0) {
                td_life3_along_x(n + r, lane.lanes);
            }
#pragma unroll
            for (uint32_t w = 0; w < 2; w++) {
                n[r].word[w] = td_life3_next_four(rule, n[r].word[w], here.alive[r].word[w]);
            }
            td_life3_put(data, lane, at, place.cells - (int32_t)r, n[r]);
            at += place.pitch - r * place.less;
        }
        below = here;
        here = above;
        place = next_place;
    }
}

/* Strips of a few rows, each by some lanes of a warp. In whole rows, strips overlap by what it takes to write words
 * whole. */
__device__ inline void td_life3_tile_of_bytes(const td_data &data, const td_work_tile3 &tile)
{
    const bool wide = tile.width > tile.side;
    const uint32_t thread = td_thread_of_block(), threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t lanes = wide ? TD_LIFE3_WIDE : TD_LIFE3_NARROW;
    const uint32_t first_y = tile.y * tile.side, end_y = first_y + tile.side;
    const uint32_t first_z = tile.z * tile.side, end_z = min(first_z + tile.side, data.n);
    const uint32_t cells = max(end_z, first_y) - first_y; /* of the longest row */
    const uint32_t strips = wide ? (cells + 3 + TD_LIFE3_STRIP - 1) / TD_LIFE3_STRIP : 1;
    const uint32_t groups = tile.side / TD_LIFE3_ROWS;
    for (uint32_t i = thread / 32 * (32 / lanes); i < strips * groups; i += threads / lanes) {
        const uint32_t y = first_y + i % groups * TD_LIFE3_ROWS; /* of the warp's first lanes */
        const int32_t x = (int32_t)(wide ? i / groups * TD_LIFE3_STRIP : tile.x * tile.side);
        const int32_t at = (int32_t)(thread % lanes);
        td_life3_lane lane;
        lane.lanes = lanes;
        lane.x = x + TD_LIFE3_CELLS * (at - (wide ? 2 : 1));
        lane.x = lane.x < 0 ? TD_LIFE3_NOWHERE : lane.x;
        lane.y = (int32_t)(y + thread % 32 / lanes * TD_LIFE3_ROWS);
        lane.first = wide ? 0 : x;
        lane.end = !wide ? x + (int32_t)tile.side : at > 1 && at < 15 ? TD_LIFE3_NOWHERE : 0;
        lane.end = (uint32_t)lane.y < end_y ? lane.end : 0;
        const uint32_t z = max(first_z, y + (uint32_t)max(x - 3, 0));
        if (z < end_z) {
            td_life3_slide(data, lane, z, end_z);
        }
    }
}

/*
 * td_life3_tile - the next state of the cells of a tile.
 *
 * Shape   tile: a multiple of 8, at most 32 [cells]; block: a multiple of 32, at most 256 [threads]
 * Input   data: 4 divides the addresses of the states, and of bytes each has room for a whole last word
 */
__device__ inline void td_life3_tile(const td_data &data, td_work_tile3 tile)
{
    if (td_life3_is_bits(&data)) {
        td_life3_tile_of_bits(data, tile);
    } else {
        td_life3_tile_of_bytes(data, tile);
    }
}

template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_life3> = td_life3_tile;

#endif
