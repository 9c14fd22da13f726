/* strip.cuh - how the rows of a state lie in a buffer, the part of the domain that a warp works on, and the state that
 * one generation keeps from row to row. */
#ifndef TD_WORKLOADS_AUTOMATA_STRIPS_STRIP_CUH
#define TD_WORKLOADS_AUTOMATA_STRIPS_STRIP_CUH

#include "workloads/automata/state/bits.h"

/* Elements one after the other, in lines of `LineCells` cells: 128 bytes for most, 256 for elements of eight bytes.
 * Ring: width of the ring stored around the domain [cells]. */
template <uint32_t Bytes, uint32_t LineCells = Bytes == 1 ? TD_LINE_U8 : TD_LINE_U32, int Ring = 1>
struct td_row_of_elements {
    static constexpr int32_t ring = Ring;
    static constexpr uint32_t element_bytes = Bytes;
    static constexpr uint32_t line_cells = LineCells, line_bytes = LineCells * Bytes;

    __device__ static int32_t bytes(int32_t count)
    {
        return count * (int32_t)Bytes;
    }
};

template <int Planes>
struct td_row_of_bits {
    static constexpr int32_t ring = 1;
    static constexpr uint32_t element_bytes = 4;
    static constexpr uint32_t line_cells = TD_LINE_BITS / Planes, line_bytes = TD_LINE_BITS / 8;

    __device__ static int32_t bytes(int32_t count)
    {
        return count / 8 * Planes;
    }
};

/* The part of the domain that a warp works on. */
template <typename Lanes>
struct td_strip {
    int32_t lane; /* index among the lanes side by side */
    int32_t col;  /* column of the lane's first cell; below 0 in the halo of the first column */
    bool lives;   /* the lane has cells of the domain, in some row */
    bool stores;  /* and it is not a halo lane */
    int32_t first[Lanes::strips]; /* first row of each of the lane's strips */
    int32_t rows;                 /* rows of each strip */
    int32_t end;                  /* end of the tile's rows, or of the domain's */
};

/* One generation on its way down: the sums of the two rows before, and the state of the middle row. */
template <typename Automaton, typename Lanes>
struct td_window {
    typename Automaton::sums above, here;
    typename Lanes::state alive;

    /* Takes a row and returns the next generation of the row before it or, where there is no neighbourhood, of the row
     * itself. */
    template <bool Inside, typename Rule>
    __device__ typename Lanes::next advance(const td_data &data, const td_strip<Lanes> &strip,
                                            Rule rule, const typename Lanes::state &now,
                                            int32_t row)
    {
        typename Lanes::given left, right;
        typename Automaton::sums below = {};
        if constexpr (Automaton::reach > 0) {
            Lanes::beside(strip, now, left, right);
            below = Automaton::sum(data, left, now, right);
        }
        const typename Lanes::next next = Automaton::add(
            data, rule, above, here, below, Automaton::reach > 0 ? alive : now, row, strip.col);
        above = here;
        here = below;
        alive = now;
        return next;
    }

    /* The row that advance() has returned, as a further generation takes it. */
    __device__ static const typename Lanes::next &completed(const typename Lanes::next &next)
    {
        return next;
    }
};

#endif
