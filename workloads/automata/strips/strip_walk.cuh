/* strip_walk.cuh - down the rows of a strip: load one, advance each generation by one, store one. */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_STRIP_WALK_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_STRIP_WALK_CUH

#include <type_traits>

#include "workloads/automata/state/bits.h"

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

#endif
