/*
 * life3_tile.cuh - life on a tetrahedron, 32 cells per instruction: bytes here, bits in a file of their own.
 *
 * A block slides along z. It puts a layer's rows of its tile, and one on either side, into shared memory as bits; there
 * a thread finds 32 cells of a row and what is beside them, wherever the row starts, and has what layers add to the
 * neighbourhoods of a few such rows in registers. The next states go through shared memory, too: rows lie behind each
 * other in memory, and are written in whole chunks across their ends.
 */
#ifndef TD_WORKLOADS_AUTOMATA_LIFE3_TILE_CUH
#define TD_WORKLOADS_AUTOMATA_LIFE3_TILE_CUH

#include "life3_chunks.cuh"
#include "life3_cube.cuh"
#include "workloads/tile_of.cuh"

enum { TD_LIFE3_STAGED = 1184 }; /* chunks of a layer: of 34 rows of 1024 cells */

/* The cells that a block computes at a time: those from x on in rows y, y + 1 ... Run: rows are in the stage as in
 * memory, one after the other; else each starts at a multiple of the pitch. */
template <bool Run>
struct td_life3_strip {
    static constexpr bool run = Run;
    uint32_t x, cells;
    uint32_t y, rows;
    uint32_t pitch; /* [chunks] */
    uint32_t threads, thread;
};

/* A layer: where row y - 1 lies, and how many cells it has, and each further row 1 less; 0 or less: there are none. */
typedef struct td_life3_place {
    uint64_t start; /* [units] */
    int32_t cells;
} td_life3_place;

/* A thread's cells: 32 in each of a few rows. */
typedef struct td_life3_lane {
    int32_t row; /* the first of them is behind row y - 1 + row */
    int32_t x;   /* from that of the strip on */
} td_life3_lane;

/* A layer's share of the neighbourhoods of a thread's cells, and the cells. */
typedef struct td_life3_layer {
    td_life_count counts[TD_LIFE3_ROWS];
    uint32_t alive[TD_LIFE3_ROWS];
} td_life3_layer;

/* From row y - 1 to j rows behind it [units]. Input: it has more than j cells, or as many */
template <typename Strip>
__device__ inline uint32_t td_life3_units(const td_data &data, const td_life3_place &place,
                                          uint32_t j)
{
    const uint32_t cells = (uint32_t)place.cells;
    return data.full
               ? j * data.n
               : td_life3_chunks::units_of_rows(cells) - td_life3_chunks::units_of_rows(cells - j);
}

/* Where row y - 1 + j, so many units behind row y - 1, has its first cell in the stage [cells]. The first chunk is one
 * too many, for the cell before. */
template <typename Strip>
__device__ inline uint32_t td_life3_staged(const Strip &strip, const td_life3_place &place,
                                           uint32_t j, uint32_t units)
{
    const uint32_t start = (uint32_t)place.start;
    return Strip::run ? 32 + start % 32 + units
                      : 32 * (j * strip.pitch + 1) + (start + units + strip.x) % 32;
}

/*
 * Calls f(chunk, at, begin, end), each by one thread, for the chunks of rows y - 1 + first and on, as many as exist, so
 * many at most: a chunk of memory, its place in the stage, and which of its cells are the rows'. It may be chunks in
 * which there are none.
 */
template <typename Strip, typename F>
__device__ inline void td_life3_for_chunks(const td_data &data, const Strip &strip,
                                           const td_life3_place &place, uint32_t first,
                                           uint32_t most, F f)
{
    const uint32_t rows = (uint32_t)min(max(place.cells, 0), (int32_t)most);
    if (rows <= first) {
        return;
    }
    if constexpr (Strip::run) {
        const int64_t chunk = ((int64_t)place.start >> 5) - 1;
        const uint32_t begin =
            td_life3_staged(strip, place, 0, td_life3_units<Strip>(data, place, first));
        const uint32_t end =
            td_life3_staged(strip, place, 0, td_life3_units<Strip>(data, place, rows));
        for (uint32_t c = begin / 32 + strip.thread; 32 * c < end; c += strip.threads) {
            f(chunk + c, c, (int32_t)(begin - 32 * c), (int32_t)(end - 32 * c));
        }
    } else {
        const uint32_t shift = strip.pitch > 8 ? 5 : strip.pitch > 4 ? 3 : 2;
        const uint32_t lane = strip.thread & ((1u << shift) - 1);
        for (uint32_t j = first + (strip.thread >> shift); j < rows; j += strip.threads >> shift) {
            const uint64_t start = place.start + td_life3_units<Strip>(data, place, j) + strip.x;
            const int32_t begin = (int32_t)(32 + start % 32);
            const int32_t end =
                begin + min(place.cells - (int32_t)(j + strip.x), (int32_t)strip.cells);
            for (uint32_t c = lane; c < strip.pitch; c += 1u << shift) {
                f((int64_t)(start / 32) + c - 1, j * strip.pitch + c, begin - 32 * (int32_t)c,
                  end - 32 * (int32_t)c);
            }
        }
    }
}

/* The same of the next layer: layer z is between, and of each row before what it has more there. */
template <typename Strip>
__device__ inline td_life3_place td_life3_above(const td_data &data, uint32_t z,
                                                const td_life3_place &place)
{
    const uint64_t further = data.full
                                 ? (uint64_t)data.n * data.n
                                 : (uint64_t)(td_life3_chunks::units_of_rows(z + 1) +
                                              td_life3_chunks::units_of(data, (int32_t)z + 2) -
                                              td_life3_chunks::units_of(data, place.cells + 1));
    return {place.start + further, z + 1 < data.n ? place.cells + 1 : 0};
}

/*
 * Layer z into the stage, and of a strip the cells beside it. A thread waits for one chunk after the other, so each is
 * requested a layer ahead, and is in L2 by then.
 */
template <typename Strip>
__device__ inline void td_life3_load(const td_data &data, const Strip &strip, uint32_t z,
                                     const td_life3_place &place, uint32_t *stage)
{
    const bool more = z + 1 < data.n;
    const char *const above =
        (const char *)data.input + (td_life3_above<Strip>(data, z, place).start - place.start);
    td_life3_for_chunks(data, strip, place, strip.y > 0 ? 0 : 1, strip.rows + 2,
                        [&](int64_t chunk, uint32_t at, int32_t begin, int32_t end) {
                            if (Strip::run || (chunk >= 0 && begin <= 32 && end >= 0)) {
                                if (more) {
                                    td_prefetch(above + 32 * chunk);
                                }
                                stage[at] = td_life3_chunks::get(data, (uint64_t)chunk);
                            }
                        });
}

/* A layer's share of the neighbourhoods of a thread's cells. Input: there are cells in its row */
template <typename Strip>
__device__ inline td_life3_layer
td_life3_count_layer(const td_data &data, const Strip &strip, const td_life3_place &place,
                     const td_life3_lane &lane, const uint32_t *stage)
{
    td_life3_layer layer;
    td_life_sums sums[TD_LIFE3_ROWS + 2];
    uint32_t here[TD_LIFE3_ROWS + 2];
    const int32_t x = (int32_t)strip.x + lane.x;
    const td_life3_chunks::inside inside(x, place.cells - lane.row - x);
    uint32_t units = td_life3_units<Strip>(data, place, (uint32_t)lane.row);
#pragma unroll
    for (int32_t r = 0; r < TD_LIFE3_ROWS + 2; r++) {
        const uint32_t at = td_life3_staged(strip, place, (uint32_t)(lane.row + r), units);
        const bool exists = r > 0 || strip.y + (uint32_t)lane.row > 0;
        uint32_t left, right;
        inside.window(stage, at + (uint32_t)lane.x, r, exists, &left, &here[r], &right);
        sums[r] = td_life_sum_words(&left, &here[r], &right);
        units += td_life3_chunks::units_of(data, place.cells - lane.row - r);
    }
#pragma unroll
    for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
        layer.counts[r] = td_life_count_words(&sums[r], &sums[r + 1], &sums[r + 2]);
        layer.alive[r] = here[r + 1];
    }
    return layer;
}

__device__ inline void td_life3_next_rows(uint32_t limits, const td_life3_layer &below,
                                          const td_life3_layer &here, const td_life3_layer &above,
                                          uint32_t next[TD_LIFE3_ROWS])
{
#pragma unroll
    for (uint32_t r = 0; r < TD_LIFE3_ROWS; r++) {
        next[r] = td_life3_next_word(limits, &below.counts[r], &here.counts[r], &above.counts[r],
                                     here.alive[r]);
    }
}

/* The next states of a thread's cells to what is to be written. */
template <typename Strip>
__device__ inline void td_life3_put(const td_data &data, const Strip &strip,
                                    const td_life3_place &place, const td_life3_lane &lane,
                                    const uint32_t next[TD_LIFE3_ROWS], uint32_t *stage)
{
    uint32_t units = td_life3_units<Strip>(data, place, (uint32_t)lane.row + 1);
    const int32_t end = (int32_t)strip.cells - lane.x;
#pragma unroll
    for (int32_t r = 0; r < TD_LIFE3_ROWS; r++) {
        const int32_t cells = place.cells - lane.row - 1 - r;
        const int32_t left = min(cells - (int32_t)strip.x - lane.x, end);
        const uint32_t at = td_life3_staged(strip, place, (uint32_t)(lane.row + 1 + r), units);
        if (left > 0) {
            td_life3_chunks::put(stage, at + (uint32_t)lane.x, next[r] & td_lowest_bits(left));
        }
        units += td_life3_chunks::units_of(data, cells);
    }
}

/* Row y - 1 of layer z. */
template <typename Strip>
__device__ inline td_life3_place td_life3_place_of(const td_data &data, const Strip &strip,
                                                   uint32_t z)
{
    const int32_t cells = (int32_t)(z - strip.y + 2);
    return {td_life3_chunks::position(data, strip.y, z) - td_life3_chunks::units_of(data, cells),
            cells};
}

/* A layer's next states to memory, and their stage is clear again. */
template <typename Strip>
__device__ inline void td_life3_write(const td_data &data, const Strip &strip,
                                      const td_life3_place &place, uint32_t *stage)
{
    td_life3_for_chunks(data, strip, place, 1, strip.rows + 1,
                        [&](int64_t chunk, uint32_t c, int32_t begin, int32_t last) {
                            td_life3_chunks::write(data, (uint64_t)chunk, stage[c], begin, last);
                            stage[c] = 0;
                        });
}

/*
 * The layers [z, end) of a strip. There are two stages for layers, and two for next states. So between two barriers a
 * block can write the states that it computed before, count this layer, and load the next.
 */
template <typename Strip>
__device__ inline void td_life3_slide(const td_data &data, const Strip &strip, uint32_t z,
                                      uint32_t end, uint32_t (*stages)[TD_LIFE3_STAGED])
{
    const uint32_t limits = data.params[1], usual = TD_RULE_LIMITS(4555u);
    const uint32_t words = td_life3_words(strip.cells);
    const td_life3_lane lane = {(int32_t)(strip.thread / words * TD_LIFE3_ROWS),
                                (int32_t)(32 * (strip.thread % words))};
    const bool works = lane.row < (int32_t)strip.rows;
    td_life3_layer below = {}, here = {};
    uint32_t at = z > 0 ? z - 1 : 0;
    td_life3_place place = td_life3_place_of(data, strip, at), before = place, written = place;
    td_life3_load(data, strip, at, place, stages[at % 2]);
    for (; at <= end; at++) {
        td_life3_layer above = {};
        __syncthreads();
        if (at > z + 1) {
            td_life3_write(data, strip, written, stages[3 - at % 2]);
        }
        if (works && place.cells > lane.row) {
            above = td_life3_count_layer(data, strip, place, lane, stages[at % 2]);
        }
        if (at > z && works && before.cells > lane.row + 1) {
            uint32_t next[TD_LIFE3_ROWS];
            if (limits == usual) {
                td_life3_next_rows(usual, below, here, above, next);
            } else {
                td_life3_next_rows(limits, below, here, above, next);
            }
            td_life3_put(data, strip, before, lane, next, stages[2 + at % 2]);
        }
        written = before;
        before = place;
        place = td_life3_above<Strip>(data, at, place);
        if (at < end) {
            td_life3_load(data, strip, at + 1, place, stages[(at + 1) % 2]);
        }
        below = here;
        here = above;
    }
    __syncthreads();
    td_life3_write(data, strip, written, stages[2 + end % 2]);
}

/* The cells [first, end) of each row of a tile, in strips of so many words at most. */
template <bool Run>
__device__ inline void td_life3_strips(const td_data &data, const td_work_tile3 &tile,
                                       uint32_t first, uint32_t end, uint32_t words,
                                       uint32_t (*stages)[TD_LIFE3_STAGED])
{
    td_life3_strip<Run> strip;
    strip.thread = td_thread_of_block();
    strip.threads = blockDim.x * blockDim.y * blockDim.z;
    strip.y = tile.y * tile.side;
    strip.rows = tile.side;
    const uint32_t first_z = tile.z * tile.side, end_z = min(first_z + tile.side, data.n);
    for (strip.x = first; strip.x < end; strip.x += 32 * words) {
        strip.cells = min(end - strip.x, 32 * words);
        strip.pitch = td_life3_words(strip.cells) + 2;
        const uint32_t z = max(first_z, strip.y + strip.x);
        if (z < end_z) {
            td_life3_slide(data, strip, z, end_z, stages);
        }
    }
}

/* Strips are as wide as the threads have words for, and the stage room. */
__device__ inline void td_life3_tile_of_bytes(const td_data &data, const td_work_tile3 &tile)
{
    __shared__ uint32_t stages[4][TD_LIFE3_STAGED];
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t words =
        min(threads / (tile.side / TD_LIFE3_ROWS), (uint32_t)TD_LIFE3_STAGED / (tile.side + 2) - 2);
    for (uint32_t i = td_thread_of_block(); i < TD_LIFE3_STAGED; i += threads) {
        stages[2][i] = stages[3][i] = 0;
    }
    const bool wide = tile.width > tile.side;
    const uint32_t first_y = tile.y * tile.side, end_z = min((tile.z + 1) * tile.side, data.n);
    const uint32_t cells = max(end_z, first_y) - first_y; /* of the longest row */
    const uint32_t first = wide ? 0 : tile.x * tile.side;
    if (wide && cells <= 32 * words && !data.full) {
        td_life3_strips<true>(data, tile, first, cells, words, stages);
    } else {
        td_life3_strips<false>(data, tile, first, wide ? cells : first + tile.side, words, stages);
    }
}

/*
 * td_life3_tile - the next state of the cells of a tile.
 *
 * Shape   tile: a multiple of 8, at most 32 [cells]; block: a multiple of 32, at most 256 [threads]
 * Input   data: 16 divides the addresses of the states, and of bytes each has room for a whole last chunk
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
inline constexpr auto td_tile_of<TD_WORKLOAD_life3, TD_ROW_life3_conditional_u8> = td_life3_tile;
template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_life3, TD_ROW_life3_conditional_bit> = td_life3_tile;
template <>
inline constexpr auto td_tile_of<TD_WORKLOAD_life3, TD_ROW_life3_shared_u8> = td_life3_shared_tile;

#endif
