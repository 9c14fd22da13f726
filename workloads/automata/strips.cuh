/*
 * strips.cuh - automata that stage nothing: a warp slides down the rows of a strip, what it needs in registers.
 *
 * A lane holds the cells of a few columns as bits, one word per plane; its neighbours' words come by shuffles. The
 * outermost lanes of a warp are a halo that two warps load, so that no second load reaches for neighbours, and more
 * than one generation can be advanced before anything is stored: each follows the one before it one row behind.
 *
 * How a lane holds its cells is a class, the lanes: `cells` of a row, of `strips` rows at once, in a `state`, of what
 * is `loaded`; beside() has the neighbours of each cell, cut() and store() what becomes of it. `halo` lanes at each end
 * of a warp belong to the next one, too; without them the outermost lanes load one cell more.
 *
 * An automaton is a class as well: `usual` (the limits of its usual rule, where it has one), `sums`, sum(data, left,
 * here, right), what a row adds to a neighbourhood, and add(data, limits, above, here, below, state, row, col).
 * `reach` is the radius of its neighbourhood, 1 or 0. Limits known while compiling leave a few instructions of a
 * rule: td_bits_reach() with a constant.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_CUH

#include <type_traits>

#include "bits.h"

/* ---- how rows lie in a buffer ---- */

/* Elements one after the other, lines of 128 bytes or, of eight bytes each, of 256. */
template <uint32_t Bytes, uint32_t LineCells = Bytes == 1 ? TD_LINE_U8 : TD_LINE_U32>
struct td_row_of_elements {
    static constexpr uint32_t element_bytes = Bytes;
    static constexpr uint32_t line_cells = LineCells, line_bytes = LineCells * Bytes;

    __device__ static int32_t bytes(int32_t count)
    {
        return count * (int32_t)Bytes;
    }
};

template <int Planes>
struct td_row_of_bits {
    static constexpr uint32_t element_bytes = 4;
    static constexpr uint32_t line_cells = TD_LINE_BITS / Planes, line_bytes = TD_LINE_BITS / 8;

    __device__ static int32_t bytes(int32_t count)
    {
        return count / 8 * Planes;
    }
};

/* ---- how a lane's cells become words ---- */

template <int Planes>
struct td_word_state {
    uint32_t word[Planes];
};

/* What all lanes of words have in common; Lanes is the class that derives from this one. */
template <int Planes, typename Lanes>
struct td_word_lanes {
    static constexpr int planes = Planes, halo = 1;
    typedef td_word_state<Planes> state, next;

    /* Rows loaded ahead of the one that is worked on. More generations hide the latency by themselves. */
    __device__ static constexpr int ahead(int generations)
    {
        return generations == 1 ? 2 : 1;
    }

    template <typename Strip>
    __device__ static auto load(const td_data &, const Strip &, const char *at)
    {
        return __ldg((const typename Lanes::loaded *)at);
    }

    template <typename Strip>
    __device__ static void beside(const Strip &, const state &now, state &left, state &right)
    {
        for (int p = 0; p < Planes; p++) {
            left.word[p] = Lanes::left(now.word[p], __shfl_up_sync(~0u, now.word[p], 1));
            right.word[p] = Lanes::right(now.word[p], __shfl_down_sync(~0u, now.word[p], 1));
        }
    }

    __device__ static void cut(next &all, int plane, uint32_t inside)
    {
        all.word[plane] &= inside;
    }

    __device__ static void store(char *at, const next &all, int strip)
    {
        *(typename Lanes::loaded *)at = Lanes::unpack(all, strip);
    }
};

__device__ inline uint32_t td_interleave(uint32_t even, uint32_t odd)
{
    return (even & 0x55555555u) | (odd & 0xaaaaaaaau);
}

/*
 * Elements of a byte or of four: 16 bytes of a row, from each of two strips at once, so that all bits of a word work.
 * Bit 2 m + s of byte k is cell 4 m + k of strip s; with four bytes per element, bit 2 m + s of the word is cell m.
 */
template <typename T, int Planes>
struct td_element_lanes : td_word_lanes<Planes, td_element_lanes<T, Planes>> {
    typedef td_word_state<Planes> state;
    static constexpr uint32_t cells = 16 / sizeof(T);
    static constexpr int strips = 2;
    typedef td_row_of_elements<sizeof(T)> in, out;
    typedef uint4 loaded;

    __device__ static uint32_t packed(const uint4 &v)
    {
        return v.x + v.y * 4 + v.z * 16 + v.w * 64;
    }

    __device__ static state pack(const uint4 (&from)[2])
    {
        const uint32_t a = packed(from[0]), b = packed(from[1]);
        state all;
        if (Planes == 1) {
            all.word[0] = a + 2 * b;
        } else {
            all.word[0] = td_interleave(a, b << 1);
            all.word[Planes - 1] = td_interleave(a >> 1, b);
        }
        return all;
    }

    __device__ static uint4 unpack(const state &all, int strip)
    {
        const uint32_t ones = sizeof(T) == 1 ? 0x01010101u : 1u;
        if (Planes == 1) {
            const uint32_t w = all.word[0];
            return make_uint4((w >> strip) & ones, (w >> (2 + strip)) & ones,
                              (w >> (4 + strip)) & ones, (w >> (6 + strip)) & ones);
        }
        const uint32_t w = strip == 0 ? td_interleave(all.word[0], all.word[Planes - 1] << 1)
                                      : td_interleave(all.word[0] >> 1, all.word[Planes - 1]);
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
struct td_bit_lanes : td_word_lanes<Planes, td_bit_lanes<Planes>> {
    typedef td_word_state<Planes> state;
    static constexpr uint32_t cells = 32;
    static constexpr int strips = 1;
    typedef td_row_of_bits<Planes> in, out;
    typedef typename td_vector<Planes>::type loaded;

    __device__ static state pack(const loaded (&from)[1])
    {
        state all;
        memcpy(&all, &from[0], sizeof all);
        return all;
    }

    __device__ static loaded unpack(const state &all, int)
    {
        loaded to;
        memcpy(&to, &all, sizeof to);
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

/* ---- lanes of floats ---- */

/*
 * Four cells of a row, each of one float or, in several planes, of more; what comes out is one element. Pairs: the two
 * floats of a cell side by side.
 */
template <typename Pass, int Planes, bool Pairs, int Ahead>
struct td_float_lanes {
    static constexpr uint32_t cells = 4;
    static constexpr int strips = 1, planes = 1, halo = 0;
    typedef typename Pass::cell cell;
    typedef typename Pass::next value;
    static constexpr uint32_t saved_bytes = sizeof(value);
    typedef td_row_of_elements<Pairs ? 8 : 4, TD_LINE_U32> in;
    typedef td_row_of_elements<saved_bytes, TD_LINE_U32> out;

    struct loaded {
        float4 v[Planes];
        float edge[Planes]; /* of the outermost lanes: the cell that no lane has */
    };
    struct state {
        cell at[4], edge;
    };
    struct next {
        value at[4];
    };

    __device__ static constexpr int ahead(int)
    {
        return Ahead;
    }

    /* Planes of automata with one step, for which the first state is the input. */
    template <typename Strip>
    __device__ static loaded load(const td_data &data, const Strip &, const char *at)
    {
        loaded all = {};
        for (int p = 0; p < Planes; p++) {
            const uint64_t behind = Pairs ? 16 * p : p * data.plane * 4;
            all.v[p] = __ldg((const float4 *)(at + behind));
        }
        return all;
    }

    template <typename Strip>
    __device__ static void load_edge(const td_data &data, const Strip &strip, const char *at,
                                     loaded &all)
    {
        const int32_t away = strip.lane == 0 ? -1 : 4;
        for (int p = 0; p < Planes; p++) {
            const uint64_t behind = Pairs ? 4 * p : p * data.plane * 4;
            all.edge[p] = __ldg((const float *)(at + behind + in::bytes(away)));
        }
    }

    __device__ static void set(cell &to, int plane, float value_)
    {
        if constexpr (Planes == 1) {
            to = value_;
        } else {
            to.plane[plane] = value_;
        }
    }

    __device__ static state pack(const loaded (&from)[1])
    {
        const loaded &all = from[0];
        state now;
        for (int p = 0; p < Planes; p++) {
            if constexpr (Pairs) {
                set(now.at[2 * p], 0, all.v[p].x);
                set(now.at[2 * p], 1, all.v[p].y);
                set(now.at[2 * p + 1], 0, all.v[p].z);
                set(now.at[2 * p + 1], 1, all.v[p].w);
            } else {
                set(now.at[0], p, all.v[p].x);
                set(now.at[1], p, all.v[p].y);
                set(now.at[2], p, all.v[p].z);
                set(now.at[3], p, all.v[p].w);
            }
            set(now.edge, p, all.edge[p]);
        }
        return now;
    }

    __device__ static cell shuffled(const cell &from, bool up)
    {
        cell to;
        if constexpr (Planes == 1) {
            to = up ? __shfl_up_sync(~0u, from, 1) : __shfl_down_sync(~0u, from, 1);
        } else {
            for (int p = 0; p < Planes; p++) {
                to.plane[p] = up ? __shfl_up_sync(~0u, from.plane[p], 1)
                                 : __shfl_down_sync(~0u, from.plane[p], 1);
            }
        }
        return to;
    }

    template <typename Strip>
    __device__ static void beside(const Strip &strip, const state &now, state &left, state &right)
    {
        left.at[0] = shuffled(now.at[3], true);
        right.at[3] = shuffled(now.at[0], false);
        if (strip.lane == 0) {
            left.at[0] = now.edge;
        }
        if (strip.lane == 31) {
            right.at[3] = now.edge;
        }
        for (int k = 0; k < 3; k++) {
            left.at[k + 1] = now.at[k];
            right.at[k] = now.at[k + 1];
        }
    }

    /* The first `count` of them. */
    __device__ static uint32_t mask(int32_t count, int)
    {
        return (uint32_t)min(max(count, 0), 4);
    }

    __device__ static void cut(next &all, int, uint32_t inside)
    {
        for (uint32_t k = 0; k < 4; k++) {
            all.at[k] = k < inside ? all.at[k] : (value)0;
        }
    }

    __device__ static void store(char *at, const next &all, int)
    {
        memcpy(__builtin_assume_aligned(at, sizeof all), &all, sizeof all);
    }
};

/* A pass of one cell, as stages have it, on the four of a lane. */
template <typename Pass, typename Lanes>
struct td_lane_pass {
    static constexpr int reach = Pass::reach;
    static constexpr bool has_rule = false;
    static constexpr uint32_t usual = 0;
    struct sums {
        typename Pass::sums at[4];
    };

    __device__ static sums sum(const td_data &data, const typename Lanes::state &left,
                               const typename Lanes::state &here,
                               const typename Lanes::state &right)
    {
        sums all;
        for (int k = 0; k < 4; k++) {
            all.at[k] = Pass::sum(&data, left.at[k], here.at[k], right.at[k]);
        }
        return all;
    }

    __device__ static typename Lanes::next add(const td_data &data, uint32_t, const sums &above,
                                               const sums &here, const sums &below,
                                               const typename Lanes::state &now, int32_t row,
                                               int32_t col)
    {
        typename Lanes::next next;
        for (int k = 0; k < 4; k++) {
            next.at[k] = Pass::add(&data, above.at[k], here.at[k], below.at[k], now.at[k],
                                   (uint32_t)row, (uint32_t)(col + k));
        }
        return next;
    }
};

/* ---- the strip ---- */

/* What a warp works on. */
template <typename Lanes>
struct td_strip {
    int32_t lane, col; /* of the lane's first cell; before 0 in the halo of the first column */
    bool lives;        /* the lane has cells of the domain, in some row */
    bool stores;       /* and is no halo */
    int32_t first[Lanes::strips]; /* row of each strip */
    int32_t rows;                 /* of each strip */
    int32_t end;                  /* of the tile, or of the domain */
};

/* The lane's cells in one row of a buffer, kept while rows go by. */
template <typename Rows, bool Inside>
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
        at = (char *)buffer + Row(&data, (uint32_t)max(first, 0)) * Rows::element_bytes +
             Rows::bytes(col);
        pitch = td_is_square(&data)
                    ? (data.row_offset >> 2) / Rows::line_cells * Rows::line_bytes
                    : ((uint32_t)row + 3 + Rows::line_cells) / Rows::line_cells * Rows::line_bytes;
        more = td_is_square(&data) ? 0 : Rows::line_bytes;
    }

    __device__ void advance()
    {
        at += Inside || row >= 0 ? pitch : 0;
        row++;
        pitch += (uint32_t)(row + 3) % Rows::line_cells == 0 ? more : 0;
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
    typedef typename Lanes::loaded loaded_t;
    typedef typename Lanes::state state_t;
    typedef typename Lanes::next next_t;
    static constexpr int planes = Lanes::planes, strips = Lanes::strips;
    static constexpr int ahead = Lanes::ahead(Generations);
    static constexpr int lag = Generations * Automaton::reach; /* rows behind the one loaded */
    /* Rows of a round. The sums of three rows take turns: in a round of three they stay in registers where they are,
     * and moving them would be a fifth of the instructions. Where a row takes few of them, more code makes it slower
     * (H200, N = 30720, four generations: bytes 0.086 to 0.081 ms, bits no faster; one generation of bits 0.059 to
     * 0.062 ms). */
    static constexpr int turn = Inside && Generations > 1 && strips > 1 ? 3 : 1;
    static constexpr int round = turn * ahead;

    const td_data &data;
    const td_strip<Lanes> &strip;
    const uint32_t limits;
    td_row_walk<typename Lanes::in, Inside> in[strips];
    td_row_walk<typename Lanes::out, Inside> out[strips];
    loaded_t loaded[ahead][strips];
    sums above[Generations], here[Generations];
    state_t alive[Generations];
    uint32_t domain; /* inside: the lane's cells of each row */
    int32_t edge;    /* without lanes of a halo: the column that the lane loads besides, or -1 */

    __device__ td_strip_walk(const td_data &data_, const td_strip<Lanes> &strip_, uint32_t limits_)
        : data(data_), strip(strip_), limits(limits_)
    {
        memset((void *)above, 0, sizeof above);
        memset((void *)here, 0, sizeof here);
        memset((void *)alive, 0, sizeof alive);
        domain = 0;
        edge = strip.lane == 0    ? strip.col - 1
               : strip.lane == 31 ? strip.col + (int32_t)Lanes::cells
                                  : -1;
        edge = td_is_square(&data) && edge >= (int32_t)data.n ? -1 : edge;
        for (int s = 0; s < strips; s++) {
            const int32_t cells = td_is_square(&data) ? (int32_t)data.n - strip.col : Lanes::cells;
            domain |= strip.lives ? Lanes::mask(cells, s) : 0;
            in[s].template begin<Row>(data, data.input, strip.first[s] - lag, strip.col);
            out[s].template begin<Row>(data, data.output, strip.first[s], strip.col);
            for (int a = 0; a < ahead; a++) {
                loaded[a][s] = load(s);
            }
        }
    }

    __device__ bool has(int s, int32_t col)
    {
        return Inside || ((uint32_t)in[s].row < data.n &&
                          (td_is_square(&data) || (uint32_t)col <= (uint32_t)in[s].row));
    }

    __device__ loaded_t load(int s)
    {
        loaded_t cells = {};
        const bool is_row = has(s, strip.col);
        if (strip.lives && is_row) {
            cells = Lanes::load(data, strip, in[s].at);
        }
        if constexpr (Lanes::halo == 0 && Automaton::reach > 0) {
            if (edge >= 0 && has(s, edge)) {
                Lanes::load_edge(data, strip, in[s].at, cells);
            }
        }
        in[s].advance();
        return cells;
    }

    /* One generation of one row: from a row the next generation of the row before, or of itself. */
    __device__ next_t advance(int g, int32_t step, const state_t &now)
    {
        constexpr int reach = Automaton::reach;
        const int32_t row_of_first = step - lag - reach * (1 + g);
        state_t left, right;
        sums below = {};
        if constexpr (reach > 0) {
            Lanes::beside(strip, now, left, right);
            below = Automaton::sum(data, left, now, right);
        }
        next_t next =
            Automaton::add(data, limits, above[g], here[g], below, reach > 0 ? alive[g] : now,
                           strip.first[0] + row_of_first, strip.col);
        above[g] = here[g];
        here[g] = below;
        if constexpr (!Inside && Generations > 1) {
            if (g >= (int)data.generations) {
                next = alive[g]; /* there were fewer to do */
            }
        }
        for (int p = 0; p < planes; p++) {
            uint32_t inside = domain;
            if (!Inside) {
                inside = 0;
                for (int s = 0; s < strips; s++) {
                    const int32_t row = strip.first[s] + row_of_first;
                    inside |= Lanes::mask(td_cells_from(data, row, strip.col, p), s);
                }
            }
            Lanes::cut(next, p, inside);
        }
        alive[g] = now;
        return next;
    }

    __device__ void store(int32_t step, const next_t &next)
    {
        const bool is_output = (uint32_t)(step - 2 * lag) < (uint32_t)strip.rows;
        for (int s = 0; s < strips; s++) {
            const bool is_row = Inside || (out[s].row < strip.end &&
                                           (td_is_square(&data) || strip.col <= out[s].row));
            if (strip.stores && is_output && is_row) {
                Lanes::store(out[s].at, next, s);
            }
            if (step >= 2 * lag) {
                out[s].advance();
            }
        }
    }

    /* One row more of each generation: load one, store one. */
    __device__ void slide(int32_t step, loaded_t (&row)[strips])
    {
        const state_t state = Lanes::pack(row);
        for (int s = 0; s < strips; s++) {
            row[s] = load(s); /* past the strip, too: rows that are there */
        }
        next_t next = advance(0, step, state);
#pragma unroll
        for (int g = 1; g < Generations; g++) {
            if constexpr (std::is_same_v<state_t, next_t>) {
                next = advance(g, step, next);
            }
        }
        store(step, next);
    }

    __device__ void run()
    {
        const int32_t steps = strip.rows + 2 * lag;
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
    constexpr int32_t cells = Lanes::cells, strips = Lanes::strips, halo = Lanes::halo;
    constexpr int32_t inner_most = 32 - 2 * halo, reach = Generations * Automaton::reach;
    constexpr int32_t ahead = Lanes::ahead(Generations);
    constexpr int32_t run_ahead = ahead > 2 ? 2 * ahead + 1 : 8;
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
        strip.lane = lane;
        strip.col = left + (lane - halo) * cells;
        strip.lives = strip.col >= 0 && (!is_square || strip.col < (int32_t)data.n);
        strip.stores = lane >= halo && lane - halo < inner && from + lane - halo < across &&
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
        const bool inside = top >= reach && bottom <= strip.end &&
                            bottom + Generations + run_ahead <= (int32_t)data.n &&
                            (is_square || left + (32 - halo) * cells <= top - 2 * Generations) &&
                            data.generations == (uint32_t)Generations;
        if (!Automaton::has_rule || data.params[1] == Automaton::usual) {
            td_run_strip<Automaton, Lanes, Row, Generations>(data, strip, Automaton::usual, inside);
        } else {
            td_run_strip<Automaton, Lanes, Row, Generations>(data, strip, data.params[1], inside);
        }
    }
}

#endif
