/* strip_walk.cuh - a walk down the rows of a strip: load one row, advance each generation by one, store one. */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_STRIP_WALK_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_STRIP_WALK_CUH

#include <type_traits>

#include "strip.cuh"

/*
 * The lane's cells in one row of a buffer, from the first row of the ring around the domain to the last. A row is as
 * long as the one before it, except that one row in every `line_cells` is a line longer.
 */
template <typename Rows>
struct td_walked_row {
    char *at;
    uint32_t pitch; /* to the next row [bytes] */
    uint32_t more;  /* growth of the pitch [bytes] */
    int32_t alike;  /* rows until the pitch grows */

    /* Rows before the first and after the last start where those two start. */
    template <td_row_fn *Row>
    __device__ void begin(const td_data &data, const void *buffer, int32_t first, int32_t col)
    {
        const bool is_square = td_is_square(&data);
        const uint32_t row =
            (uint32_t)min(max(first, -Rows::ring), (int32_t)data.n + Rows::ring - 1);
        const uint32_t longest = row + 3 * Rows::ring; /* the row's last column */
        const uint32_t lines =
            is_square ? (data.row_offset >> 2) / Rows::line_cells : longest / Rows::line_cells + 1;
        at = (char *)buffer + Row(&data, row) * Rows::element_bytes + Rows::bytes(col);
        pitch = lines * Rows::line_bytes;
        more = is_square ? 0 : Rows::line_bytes;
        alike = (int32_t)(Rows::line_cells - longest % Rows::line_cells);
    }

    /* Counts rows of equal length that have been passed. */
    __device__ void pass(int32_t rows)
    {
        alike -= rows;
        if (alike == 0) {
            pitch += more;
            alike = (int32_t)Rows::line_cells;
        }
    }

    /* Moves from `row`, which may lie outside of the buffer, to the next row. */
    __device__ void advance(const td_data &data, int32_t row)
    {
        if ((uint32_t)(row + Rows::ring) < data.n + 2 * Rows::ring - 1) {
            at += pitch;
            pass(1);
        }
    }
};

/*
 * A walk down the rows of a strip.
 *
 * Inside: no row of the strip begins, ends or leaves the domain, and all generations are due, so that most rows need no
 * test, and with one generation no cut. Elsewhere each row of each generation is cut to the domain. The cells that a
 * lane reads beyond the end of a row change only cells that are cut: those next to the end are stored, and dead.
 */
template <typename Automaton, typename Lanes, td_row_fn *Row, int Generations, bool Inside,
          typename Rule>
struct td_strip_walk {
    typedef typename Lanes::loaded loaded_t;
    typedef typename Lanes::state state_t;
    typedef typename Lanes::next next_t;
    static constexpr int strips = Lanes::strips;
    /* rows from the one loaded back to the one stored */
    static constexpr int lag = Generations * Automaton::reach;
    static constexpr bool is_short = Lanes::rows > 0;
    /* Rows of a round. A short strip is one round. In a long one all rows of the next round are loaded before the first
     * row of this one is advanced: a warp has six scoreboards, the compiler gives one to all loads of a loop, and to
     * wait for the first load is to wait for the last. The warp would wait for a load in the middle of a round at the
     * end of that round. */
    static constexpr int round = is_short ? Lanes::rows + 2 * lag : Lanes::ahead(Generations);

    const td_data &data;
    const td_strip<Lanes> &strip;
    const Rule rule;
    td_walked_row<typename Lanes::in> in[strips];
    td_walked_row<typename Lanes::out> out[strips];
    loaded_t loaded[round][strips];
    td_window<Automaton, Lanes> window[Generations];
    /* Outside: the cells of the domain in the row that the first generation completes, and in the rows above it, which
     * later generations and further planes need. */
    typename Lanes::inside inside[lag - Automaton::reach + Lanes::planes];
    int32_t edge; /* without halo lanes: the column that the lane also loads, or -1 */

    __device__ td_strip_walk(const td_data &data_, const td_strip<Lanes> &strip_, Rule rule_)
        : data(data_), strip(strip_), rule(rule_)
    {
        memset((void *)window, 0, sizeof window);
        memset((void *)inside, 0, sizeof inside);
        Lanes::clear(loaded);
        edge = strip.lane == 0                  ? strip.col - 1
               : strip.lane == Lanes::width - 1 ? strip.col + (int32_t)Lanes::cells
                                                : -1;
        edge = td_is_square(&data) && edge >= (int32_t)data.n ? -1 : edge;
        for (int s = 0; s < strips; s++) {
            in[s].template begin<Row>(data, data.input, strip.first[s] - lag, strip.col);
            out[s].template begin<Row>(data, data.output, strip.first[s] - 2 * lag, strip.col);
        }
    }

    /* Whether a row has something to load in a column. Rows after the last one count as the last. */
    __device__ bool reaches(int32_t row, int32_t col)
    {
        constexpr int32_t ring = Lanes::in::ring;
        return Inside || td_is_square(&data) ||
               col <= min(row, (int32_t)data.n + ring - 1) + 2 * ring;
    }

    /* Loads the row that is one round ahead of the step. A lane without cells keeps the values it was cleared to. */
    template <bool Careful>
    __device__ void load(int32_t step, int s, loaded_t &cells)
    {
        const int32_t row = strip.first[s] - lag + step + round;
        if (strip.lives && reaches(row, strip.col)) {
            Lanes::load(data, strip, in[s].at, cells);
        }
        if constexpr (Lanes::halo == 0 && Automaton::reach > 0) {
            if (edge >= 0 && reaches(row, edge)) {
                Lanes::load_edge(data, strip, in[s].at, cells);
            }
        }
        if (Careful) {
            in[s].advance(data, row);
        } else {
            in[s].at += in[s].pitch;
        }
    }

    /* Loads the first round. */
    template <bool Careful>
    __device__ void load_round()
    {
#pragma unroll
        for (int k = 0; k < round; k++) {
            for (int s = 0; s < strips; s++) {
                load<Careful>(k - round, s, loaded[k][s]);
            }
        }
    }

    /* Finds the cells of the domain in one more row. */
    template <bool Careful>
    __device__ void take_inside(int32_t row_of_first)
    {
        constexpr int rows = sizeof inside / sizeof inside[0];
#pragma unroll
        for (int k = rows - 1; k > 0; k--) {
            inside[k] = inside[k - 1];
        }
        int32_t counts[strips];
        for (int s = 0; s < strips; s++) {
            const int32_t row = strip.first[s] + row_of_first;
            const bool is_row = !Careful || (uint32_t)row < data.n;
            const int32_t end = !is_row ? 0 : td_is_square(&data) ? (int32_t)data.n : row + 1;
            counts[s] = strip.lives ? end - strip.col : 0;
        }
        inside[0] = Lanes::first_cells(counts);
    }

    /* Advances one row by one generation. */
    template <bool Careful>
    __device__ next_t advance(int g, int32_t step, const state_t &now)
    {
        const int32_t row_of_first = step - lag - Automaton::reach * (1 + g);
        const state_t before = window[g].alive;
        next_t next = window[g].template advance<Inside>(data, strip, rule, now,
                                                         strip.first[0] + row_of_first);
        constexpr bool is_usual = Automaton::has_rule && std::is_same_v<Rule, td_usual_rule>;
        if constexpr (Generations > 1 && !Inside && !is_usual) {
            if (g >= (int)data.generations) {
                next = Lanes::unchanged(before); /* fewer generations are due */
            }
        }
        if constexpr (!Inside) {
            Lanes::cut(next, &inside[g * Automaton::reach]);
        } else if constexpr (Generations > 1 && !Lanes::walled) {
            Lanes::keep(next);
        }
        return next;
    }

    template <bool Careful>
    __device__ void store(int32_t step, const next_t &next)
    {
        for (int s = 0; s < strips; s++) {
            const int32_t row = strip.first[s] - 2 * lag + step;
            const bool is_due = (!Careful && !is_short) || step >= 2 * lag;
            const bool is_output = is_due && (!Careful || row < strip.end);
            const bool is_cell = Inside || td_is_square(&data) || strip.col <= row;
            if (strip.stores && is_output && is_cell) {
                Lanes::store(out[s].at, next, s);
            }
            if (Careful) {
                out[s].advance(data, row);
            } else {
                out[s].at += out[s].pitch;
            }
        }
    }

    /* Advances each generation by one row: from one that was loaded to one that is stored. */
    template <bool Careful>
    __device__ void slide(int32_t step, const state_t &row)
    {
        if constexpr (!Inside) {
            take_inside<Careful>(step - lag - Automaton::reach);
        }
        next_t next = advance<Careful>(0, step, row);
        if constexpr (Generations > 1) {
#pragma unroll
            for (int g = 1; g < Generations; g++) {
                next = advance<Careful>(g, step, window[g - 1].completed(next));
            }
        }
        store<Careful>(step, next);
    }

    /* One round. Careful: only as many of its rows as there are steps left. */
    template <bool Careful>
    __device__ void go_round(int32_t step, int32_t steps)
    {
        state_t rows[round];
#pragma unroll
        for (int k = 0; k < round; k++) {
            rows[k] = Lanes::pack(loaded[k]);
        }
#pragma unroll
        for (int k = 0; k < round; k++) {
            for (int s = 0; s < strips; s++) {
                load<Careful>(step + k, s, loaded[k][s]); /* also rows past the strip */
            }
        }
#pragma unroll
        for (int k = 0; k < round; k++) {
            if (!Careful || step + k < steps) {
                slide<Careful>(step + k, rows[k]);
            }
        }
    }

    /* Whether, for all lanes, the rows of a round all exist, have equal length and are all stored: those loaded from
     * step `loads` on, and those stored from step `stores` on. */
    __device__ bool is_plain(int32_t loads, int32_t stores)
    {
        bool plain = true;
        for (int s = 0; s < strips; s++) {
            plain = plain && in[s].alike >= round && out[s].alike >= round &&
                    strip.first[s] - lag + loads + round <= (int32_t)data.n &&
                    strip.first[s] - 2 * lag + stores + round <= strip.end;
        }
        return Lanes::width == 32 ? plain : __all_sync(~0u, plain) != 0;
    }

    template <bool Careful>
    __device__ void go_short()
    {
        load_round<Careful>();
#pragma unroll
        for (int k = 0; k < round; k++) {
            slide<Careful>(k, Lanes::pack(loaded[k]));
        }
    }

    __device__ void go_long()
    {
        const int32_t steps = strip.rows + 2 * lag;
        load_round<true>();
#pragma unroll 1
        for (int32_t step = 0; step < steps; step += round) {
            if (step >= 2 * lag && step + round <= steps && is_plain(step + round, step)) {
                go_round<false>(step, steps);
                for (int s = 0; s < strips; s++) {
                    in[s].pass(round);
                    out[s].pass(round);
                }
            } else {
                go_round<true>(step, steps);
            }
        }
    }

    __device__ void run()
    {
        if constexpr (!is_short) {
            go_long();
        } else if (Inside && is_plain(0, 0)) {
            go_short<false>();
        } else {
            go_short<true>();
        }
    }
};

#endif
