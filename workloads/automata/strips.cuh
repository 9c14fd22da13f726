/*
 * strips.cuh - automata that stage nothing: a warp slides down the rows of a strip, what it needs in registers.
 *
 * A lane holds the cells of a few columns as bits, one word per plane; its neighbours' words come by shuffles. The
 * outermost lanes of a warp are a halo that two warps load, so that no second load reaches for neighbours, and more
 * than one generation can be advanced before anything is stored: each follows the one before it one row behind.
 *
 * An automaton is a class: `planes`, `usual` (the limits of its usual rule), `sums`, sum(left, here, right), what a row
 * adds to a neighbourhood, and add(limits, above, here, below, alive, next). Limits that are known while compiling
 * leave a few instructions of a rule: td_bits_reach() with a constant.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_CUH

#include "bits.h"

/* ---- how a lane's cells become words ---- */

__device__ inline uint32_t td_interleave(uint32_t even, uint32_t odd)
{
    return (even & 0x55555555u) | (odd & 0xaaaaaaaau);
}

/*
 * Elements of a byte or of four: 16 bytes of a row, from each of two strips at once, so that all bits of a word work.
 * Bit 2 m + s of byte k is cell 4 m + k of strip s; with four bytes per element, bit 2 m + s of the word is cell m.
 */
template <typename T, int Planes>
struct td_element_lanes {
    static constexpr uint32_t cells = 16 / sizeof(T);
    static constexpr int strips = 2;
    static constexpr uint32_t used = sizeof(T) == 1 ? ~0u : 0xffu;
    static constexpr uint32_t element_bytes = sizeof(T);
    static constexpr uint32_t line_cells = 128 / sizeof(T), line_bytes = 128;
    typedef uint4 load_t;

    __device__ static int32_t bytes(int32_t count)
    {
        return count * (int32_t)sizeof(T);
    }

    __device__ static uint32_t packed(const uint4 &v)
    {
        return v.x + v.y * 4 + v.z * 16 + v.w * 64;
    }

    __device__ static void pack(const uint4 (&from)[2], uint32_t (&state)[Planes])
    {
        const uint32_t a = packed(from[0]), b = packed(from[1]);
        if (Planes == 1) {
            state[0] = a + 2 * b;
        } else {
            state[0] = td_interleave(a, b << 1);
            state[Planes - 1] = td_interleave(a >> 1, b);
        }
    }

    __device__ static uint4 unpack(const uint32_t (&state)[Planes], int strip)
    {
        const uint32_t ones = sizeof(T) == 1 ? 0x01010101u : 1u;
        if (Planes == 1) {
            const uint32_t w = state[0];
            return make_uint4((w >> strip) & ones, (w >> (2 + strip)) & ones,
                              (w >> (4 + strip)) & ones, (w >> (6 + strip)) & ones);
        }
        const uint32_t w = strip == 0 ? td_interleave(state[0], state[Planes - 1] << 1)
                                      : td_interleave(state[0] >> 1, state[Planes - 1]);
        const uint32_t threes = 3 * ones;
        return make_uint4(w & threes, (w >> 2) & threes, (w >> 4) & threes, (w >> 6) & threes);
    }

    /* Each cell's left and right neighbour; `before` and `behind` are the words of the lanes beside this one. */
    __device__ static uint32_t left(uint32_t word, uint32_t before)
    {
        if (sizeof(T) == 4) {
            return word << 2 | before >> 6;
        }
        return td_permute<0x2104>(word, __funnelshift_l(before, word >> 24, 2));
    }

    __device__ static uint32_t right(uint32_t word, uint32_t behind)
    {
        if (sizeof(T) == 4) {
            return word >> 2 | behind << 6;
        }
        return td_permute<0x7321>(word, __funnelshift_r(word << 24, behind, 2));
    }

    /* The first `count` cells of a strip. */
    __device__ static uint32_t mask(int32_t count, int strip)
    {
        const uint32_t v = (uint32_t)min(max(count, 0), (int32_t)cells);
        if (sizeof(T) == 4) {
            return (((1u << 2 * v) - 1) & 0x55u) << strip;
        }
        const uint32_t whole = ((1u << v / 4 * 2) - 1) * 0x01010101u & 0x55555555u;
        const uint32_t rest = ((1u << v % 4 * 8) - 1) & 0x01010101u;
        return (whole | rest << v / 4 * 2) << strip;
    }
};

template <int Words>
struct td_vector;
template <>
struct td_vector<1> {
    typedef uint32_t type;
};
template <>
struct td_vector<2> {
    typedef uint2 type;
};

/* Bits: 32 cells, one strip. */
template <int Planes>
struct td_bit_lanes {
    static constexpr uint32_t cells = 32;
    static constexpr int strips = 1;
    static constexpr uint32_t used = ~0u;
    static constexpr uint32_t element_bytes = 4;
    static constexpr uint32_t line_cells = TD_LINE_BITS / Planes, line_bytes = TD_LINE_BITS / 8;
    typedef typename td_vector<Planes>::type load_t;

    __device__ static int32_t bytes(int32_t count)
    {
        return count / 8 * Planes;
    }

    __device__ static void pack(const load_t (&from)[1], uint32_t (&state)[Planes])
    {
        memcpy(state, &from[0], sizeof state);
    }

    __device__ static load_t unpack(const uint32_t (&state)[Planes], int)
    {
        load_t to;
        memcpy(&to, state, sizeof to);
        return to;
    }

    __device__ static uint32_t left(uint32_t word, uint32_t before)
    {
        return __funnelshift_l(before, word, 1);
    }

    __device__ static uint32_t right(uint32_t word, uint32_t behind)
    {
        return __funnelshift_r(word, behind, 1);
    }

    __device__ static uint32_t mask(int32_t count, int)
    {
        return count >= 32 ? ~0u : count <= 0 ? 0u : (1u << count) - 1u;
    }
};

/* ---- the strip ---- */

/* What a warp works on. */
template <typename Lanes>
struct td_strip {
    int32_t col; /* of the lane's first cell; before 0 in the halo of the first column */
    bool stores; /* the lane is no halo */
    int32_t first[Lanes::strips]; /* row of each strip */
    int32_t rows;                 /* of each strip */
    int32_t end;                  /* of the tile, or of the domain */
};

/* The lane's cells in one row of a buffer, kept while rows go by. */
template <typename Lanes, bool Inside>
struct td_row_walk {
    char *at;
    uint32_t pitch; /* to the next row [bytes] */
    uint32_t more;  /* that it grows by once a line [bytes] */
    int32_t row;

    /* Rows above the domain are where its first is. */
    template <td_row_fn *Row>
    __device__ void begin(const td_data &data, const void *buffer, int32_t first, int32_t col)
    {
        row = first;
        at = (char *)buffer + Row(&data, (uint32_t)max(first, 0)) * Lanes::element_bytes +
             Lanes::bytes(col);
        pitch = td_is_square(&data) ? (data.row_offset >> 2) / Lanes::line_cells * Lanes::line_bytes
                                    : ((uint32_t)row + 3 + Lanes::line_cells) / Lanes::line_cells *
                                          Lanes::line_bytes;
        more = td_is_square(&data) ? 0 : Lanes::line_bytes;
    }

    __device__ void advance()
    {
        at += Inside || row >= 0 ? pitch : 0;
        row++;
        pitch += (uint32_t)(row + 3) % Lanes::line_cells == 0 ? more : 0;
    }
};

/* Cells of plane `plane` in a row, from column `col` on. */
__device__ inline int32_t td_cells_from(const td_data &data, int32_t row, int32_t col, int plane)
{
    if (col < 0 || (uint32_t)row >= data.n) {
        return 0;
    }
    return (td_is_square(&data) ? (int32_t)data.n : row + 1 - plane) - col;
}

/*
 * Down the rows of a strip.
 *
 * Inside: no row of the strip begins, ends or leaves the domain, and all generations are to do, so that nothing is
 * tested but what holds for all rows. Elsewhere each row of each generation is cut to the domain.
 */
template <typename Automaton, typename Lanes, td_row_fn *Row, int Generations, bool Inside>
struct td_strip_walk {
    typedef typename Automaton::sums sums;
    typedef typename Lanes::load_t load_t;
    static constexpr int planes = Automaton::planes, strips = Lanes::strips;
    /* Rows loaded ahead of the one that is worked on. More generations hide the latency by themselves. */
    static constexpr int ahead = Generations == 1 ? 2 : 1;
    /* Rows of a round. The sums of three rows take turns: in a round of three they stay in the registers where they are,
     * and moving them would be a fifth of the instructions. Where a row takes few of them, more code makes it slower
     * (H200, N = 30720, four generations: bytes 0.086 to 0.081 ms, bits no faster; one generation of bits 0.059 to
     * 0.062 ms). */
    static constexpr int turn = Inside && Generations > 1 && strips > 1 ? 3 : 1;
    static constexpr int round = turn * ahead;

    const td_data &data;
    const td_strip<Lanes> &strip;
    const uint32_t limits;
    td_row_walk<Lanes, Inside> in[strips], out[strips];
    load_t loaded[ahead][strips];
    sums above[Generations], here[Generations];
    uint32_t alive[Generations][planes];
    uint32_t domain; /* inside: the lane's cells of each row */
    bool lives;      /* the lane has any */

    __device__ td_strip_walk(const td_data &data_, const td_strip<Lanes> &strip_, uint32_t limits_)
        : data(data_), strip(strip_), limits(limits_)
    {
        memset(above, 0, sizeof above);
        memset(here, 0, sizeof here);
        memset(alive, 0, sizeof alive);
        lives = strip.col >= 0 && (!td_is_square(&data) || strip.col < (int32_t)data.n);
        domain = 0;
        for (int s = 0; s < strips; s++) {
            const int32_t cells = td_is_square(&data) ? (int32_t)data.n - strip.col : Lanes::cells;
            domain |= lives ? Lanes::mask(cells, s) : 0;
            in[s].template begin<Row>(data, data.input, strip.first[s] - Generations, strip.col);
            out[s].template begin<Row>(data, data.output, strip.first[s], strip.col);
            for (int a = 0; a < ahead; a++) {
                loaded[a][s] = load(s);
            }
        }
    }

    __device__ load_t load(int s)
    {
        const bool is_row =
            Inside || ((uint32_t)in[s].row < data.n &&
                       (td_is_square(&data) || (uint32_t)strip.col <= (uint32_t)in[s].row));
        load_t cells = {};
        if (lives && is_row) {
            cells = __ldg((const load_t *)in[s].at);
        }
        in[s].advance();
        return cells;
    }

    /* One generation of one row: `state` is the row, and becomes the next generation of the row before. */
    __device__ void advance(int g, int32_t step, uint32_t (&state)[planes])
    {
        uint32_t left[planes], right[planes], next[planes];
        for (int p = 0; p < planes; p++) {
            left[p] = Lanes::left(state[p], __shfl_up_sync(~0u, state[p], 1));
            right[p] = Lanes::right(state[p], __shfl_down_sync(~0u, state[p], 1));
        }
        const sums below = Automaton::sum(left, state, right);
        Automaton::add(limits, above[g], here[g], below, alive[g], next);
        above[g] = here[g];
        here[g] = below;
        for (int p = 0; p < planes; p++) {
            uint32_t inside = domain;
            if (!Inside) {
                inside = 0;
                for (int s = 0; s < strips; s++) {
                    const int32_t row = strip.first[s] + step - Generations - 1 - g;
                    inside |= Lanes::mask(td_cells_from(data, row, strip.col, p), s);
                }
                if (g >= (int)data.generations) {
                    next[p] = alive[g][p]; /* there were fewer to do */
                }
            }
            alive[g][p] = state[p];
            state[p] = next[p] & inside;
        }
    }

    __device__ void store(int32_t step, const uint32_t (&state)[planes])
    {
        const bool is_output = (uint32_t)(step - 2 * Generations) < (uint32_t)strip.rows;
        for (int s = 0; s < strips; s++) {
            const bool is_row = Inside || (out[s].row < strip.end &&
                                           (td_is_square(&data) || strip.col <= out[s].row));
            const load_t cells = Lanes::unpack(state, s);
            if (strip.stores && is_output && is_row) {
                *(load_t *)out[s].at = cells;
            }
            if (step >= 2 * Generations) {
                out[s].advance();
            }
        }
    }

    /* One row more of each generation: load one, store one. */
    __device__ void slide(int32_t step, load_t (&next)[strips])
    {
        uint32_t state[planes];
        Lanes::pack(next, state);
        for (int s = 0; s < strips; s++) {
            next[s] = load(s); /* past the strip, too: rows that are there */
        }
#pragma unroll
        for (int g = 0; g < Generations; g++) {
            advance(g, step, state);
        }
        store(step, state);
    }

    __device__ void run()
    {
        const int32_t steps = strip.rows + 2 * Generations;
        for (int32_t base = 0; base < steps; base += round) {
#pragma unroll
            for (int i = 0; i < round; i++) {
                if (i > 0 && i % turn == 0 && base + i >= steps) {
                    return; /* the last round may be short */
                }
                slide(base + i, loaded[i % ahead]);
            }
        }
    }
};

template <typename Automaton, typename Lanes, td_row_fn *Row, int Generations>
__device__ inline void td_run_strip(const td_data &data, const td_strip<Lanes> &strip,
                                    uint32_t limits, bool inside)
{
    if (inside) {
        td_strip_walk<Automaton, Lanes, Row, Generations, true>(data, strip, limits).run();
    } else {
        td_strip_walk<Automaton, Lanes, Row, Generations, false>(data, strip, limits).run();
    }
}

/*
 * A tile: warps beside each other, as many as its columns take, and below each other, as many as there are.
 *
 * Input   tile.side is a multiple of Lanes::cells, the block has a multiple of 32 threads
 */
template <typename Automaton, typename Lanes, td_row_fn *Row, int Generations>
__device__ inline void td_strips(const td_data &data, td_work_tile tile)
{
    constexpr int32_t cells = Lanes::cells, inner_most = 30, strips = Lanes::strips;
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int32_t lane = (int32_t)(thread % 32);
    const int32_t warp =
        __shfl_sync(~0u, (int32_t)(thread / 32), 0); /* so nvcc knows it is uniform */
    const int32_t warps = (int32_t)(blockDim.x * blockDim.y / 32);
    const int32_t across = (int32_t)tile.side / cells; /* lanes with cells */
    const int32_t beside = (across + inner_most - 1) / inner_most;
    const int32_t inner = (across + beside - 1) / beside; /* lanes of a warp that are no halo */
    const int32_t below = max(warps / beside, 1);
    const int32_t rows = ((int32_t)tile.side + below * strips - 1) / (below * strips);
    const bool is_square = td_is_square(&data);
    for (int32_t item = warp; item < beside * below; item += warps) {
        const int32_t from = item % beside * inner;
        const int32_t left = (int32_t)(tile.x * tile.side) + from * cells;
        const int32_t top = (int32_t)(tile.y * tile.side) + item / beside * strips * rows;
        const int32_t bottom = top + strips * rows;
        td_strip<Lanes> strip;
        strip.col = left + (lane - 1) * cells;
        strip.stores = lane >= 1 && lane <= inner && from + lane - 1 < across &&
                       (!is_square || strip.col < (int32_t)data.n);
        strip.end = (int32_t)min((tile.y + 1) * tile.side, data.n);
        if (left >= (is_square ? (int32_t)data.n : min(bottom, strip.end))) {
            continue;
        }
        /* rows above the first cell of the last strip */
        const int32_t skip = is_square ? 0 : max(0, left - (bottom - rows));
        strip.rows = rows - skip;
        for (int s = 0; s < strips; s++) {
            strip.first[s] = top + s * rows + skip;
        }
        const bool inside = top >= Generations && bottom <= strip.end &&
                            bottom + Generations + 8 <= (int32_t)data.n && /* loads run ahead */
                            (is_square || left + 31 * cells <= top - 2 * Generations) &&
                            data.generations == (uint32_t)Generations;
        if (data.params[1] == Automaton::usual) {
            td_run_strip<Automaton, Lanes, Row, Generations>(data, strip, Automaton::usual, inside);
        } else {
            td_run_strip<Automaton, Lanes, Row, Generations>(data, strip, data.params[1], inside);
        }
    }
}

#endif
