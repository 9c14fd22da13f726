/* stage_passes.cuh - passes over the cells of a stage, to another stage or to memory. */
#ifndef TD_WORKLOADS_AUTOMATA_STAGES_STAGE_PASSES_CUH
#define TD_WORKLOADS_AUTOMATA_STAGES_STAGE_PASSES_CUH

#include "stage.cuh"
#include "stage_memory.cuh"

/* The sum over three cells of a row of the stage. */
template <typename Pass, typename Stage>
__device__ inline typename Pass::sums td_stage_sum(const Stage &stage, const td_data &data,
                                                   uint32_t y, uint32_t x)
{
    typedef typename Pass::cell cell;
    return Pass::sum(&data, stage.template get<cell>(y, x), stage.template get<cell>(y, x + 1),
                     stage.template get<cell>(y, x + 2));
}

/*
 * One pass over an area. A thread takes `Cells` neighbours in a row and walks down a share of the rows: each row of the
 * stage is added up once and serves three cells. `put(y, x, next)` takes the results. Cell (0, 0) of the area is cell
 * (from + 1, from + 1) of the stage.
 */
template <typename Pass, int Cells, typename Stage, typename Shape, typename Put>
__device__ inline void td_stage_advance(const Stage &stage, const td_data &data,
                                        const td_area &area, uint32_t from, Shape shape, Put put)
{
    typedef typename Pass::next next_t;
    typedef typename Pass::sums sums;
    const uint32_t across = (area.width + Cells - 1) / Cells;
    const uint32_t strips = shape.threads > across ? shape.threads / across : 1;
    const uint32_t rows = (area.height + strips - 1) / strips;
    for (uint32_t item = shape.thread; item < across * strips; item += shape.threads) {
        const uint32_t x = item % across * Cells;
        const uint32_t first = item / across * rows;
        const uint32_t end = first + rows < area.height ? first + rows : area.height;
        if (first >= end) {
            return; /* more threads than rows: there is nothing below the stage to add up */
        }
        sums above[Cells], here[Cells];
        for (int k = 0; k < Cells; k++) {
            above[k] = td_stage_sum<Pass>(stage, data, from + first, from + x + k);
            here[k] = td_stage_sum<Pass>(stage, data, from + first + 1, from + x + k);
        }
        for (uint32_t y = first; y < end; y++) {
            next_t next[Cells];
            for (int k = 0; k < Cells; k++) {
                const sums below = td_stage_sum<Pass>(stage, data, from + y + 2, from + x + k);
                const auto cell =
                    stage.template get<typename Pass::cell>(from + y + 1, from + x + k + 1);
                next[k] = Pass::add(&data, above[k], here[k], below, cell, area.row + y,
                                    area.col + x + k);
                above[k] = here[k];
                here[k] = below;
            }
            put(y, x, next);
        }
    }
}

/* Stores `Cells` cells of one row; two of them at once if both are in the domain. */
template <typename Memory, int Cells, typename Next>
__device__ inline void td_stage_store(const td_data &data, uint32_t row, uint32_t col,
                                      const Next (&next)[Cells])
{
    typename Memory::saved *to = Memory::output(data, row) + col;
    if (Cells == 2 && td_in_domain(&data, row, col + 1)) {
        /* a row starts a line, so a pair is aligned */
        const uint32_t first = td_bits_of(next[0]), second = td_bits_of(next[Cells - 1]);
        if (sizeof *to == 4) {
            *(uint2 *)to = make_uint2(first, second);
        } else {
            *(uint16_t *)to = (uint16_t)(first | second << 8);
        }
    } else if (td_in_domain(&data, row, col)) {
        to[0] = (typename Memory::saved)next[0];
    }
}

/* The first of two passes, from stage to stage, over the area and a ring around it. */
template <typename Pass, typename From, typename To, typename Shape>
__device__ inline void td_stage_pass(const From &from, To &to, const td_data &data,
                                     const td_area &area, Shape shape)
{
    typedef typename Pass::next next_t;
    const td_area wider = {area.row - 1, area.col - 1, area.height + 2, area.width + 2};
    td_stage_advance<Pass, 1>(
        from, data, wider, 0, shape, [&](uint32_t y, uint32_t x, const next_t(&next)[1]) {
            const bool inside = td_in_domain(&data, wider.row + y, wider.col + x);
            to.put(y + 1, x + 1, inside ? next[0] : Pass::outside());
        });
    __syncthreads();
}

/*
 * Advances an area: the stage has one ring per pass. The first of two passes goes to the other stage, the last one to
 * memory.
 */
template <typename Automaton, typename Memory, int Passes, int Cells, typename First,
          typename Second, typename Shape>
__device__ inline void td_stage_work(First &stage, Second &other, const td_data &data,
                                     const td_area &area, Shape shape)
{
    typedef typename Automaton::first first;
    typedef typename Automaton::last last;
    const auto store = [&](uint32_t y, uint32_t x, const typename last::next(&next)[Cells]) {
        td_stage_store<Memory, Cells>(data, area.row + y, area.col + x, next);
    };
    static_assert(Passes == 1 || Passes == 2);
    td_stage_area<Memory, Passes>(stage, data, area, shape);
    __syncthreads();
    if constexpr (Passes == 1) {
        td_stage_advance<last, Cells>(stage, data, area, 0, shape, store);
    } else {
        td_stage_pass<first>(stage, other, data, area, shape);
        td_stage_advance<last, Cells>(other, data, area, 1, shape, store);
    }
}

#endif
