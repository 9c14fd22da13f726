/*
 * stages.cuh - automata whose tile and halo are staged in shared memory: shared, aligned, rect, two-cell,
 * two-generation.
 *
 * The techniques are those of the chapter on cellular automata in GPU Computing Gems and of the thesis that belongs to
 * it: tile and halo in shared memory, rows on lines, two cells per thread, two generations per launch.
 *
 * An automaton is a class with `passes`, the number of neighbourhoods of radius one that make a generation, and with
 * `first` and `last`, the classes of the first and of the last pass, which may be the same. A pass has two functions of
 * one cell, so that each row of the stage is added up once for the three rows around it: sum(data, left, here, right),
 * the part of a neighbourhood that comes from one row, and add(data, above, here, below, cell, row, col), the result
 * for cell (row, col). It has the types cell, sums and next, and outside(), the `next` of a cell outside of the domain.
 *
 * The storage of cells is a class, too, td_planes or td_pairs: the same automaton works on either.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STAGES_STAGES_CUH
#define TD_WORKLOADS_AUTOMATA_STAGES_STAGES_CUH

#include "stage.cuh"

/* ---- a pass over the cells of a stage, to another stage or to memory ---- */

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

template <typename State>
__device__ inline uint32_t td_bits_of(State state)
{
    if constexpr (std::is_same_v<State, float>) {
        return __float_as_uint(state);
    } else {
        return state;
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

/* ---- a tile ---- */

/* Works on all bands of a tile; without a loop if the tile is one band. */
template <typename Automaton, typename Memory, int Passes, int Cells, int Band, typename First,
          typename Second, typename Shape>
__device__ inline void td_stage_tile(First &stage, Second &other, const td_data &data,
                                     td_work_tile tile, Shape shape)
{
    td_area area = {tile.y * shape.side, tile.x * shape.side, shape.side, shape.side};
    if constexpr (Band == TD_STAGE_SIDE) {
        td_stage_work<Automaton, Memory, Passes, Cells>(stage, other, data, area, shape);
    } else {
        for (uint32_t y = 0; y < shape.side; y += Band) {
            area.row = tile.y * shape.side + y;
            area.height = min((uint32_t)Band, shape.side - y);
            td_stage_work<Automaton, Memory, Passes, Cells>(stage, other, data, area, shape);
            __syncthreads(); /* the next band is staged in the same place */
        }
    }
}

/* The type of a stage for a pass's cells. */
template <typename T, int Planes, int Band>
using td_stage_for = td_stage<T, Planes, Band + 4, TD_STAGE_PITCH>;

/* A placeholder where there is no second stage. */
struct td_no_stage {
};

/* Instances for the published blocks of 256 threads, 16 x 16 on a tile of 16 and 64 x 4 on a tile of 64, and one for
 * all others. */
template <typename Automaton, typename Memory, int Passes, int Cells, int Band, typename First,
          typename Second>
__device__ inline void td_stage_tile_of_any(First &stage, Second &other, const td_data &data,
                                            td_work_tile tile)
{
    const bool usual = blockDim.x * blockDim.y == 256;
    if (usual && tile.side == 16 && Passes == 1) {
        td_stage_tile<Automaton, Memory, Passes, Cells, Band>(stage, other, data, tile,
                                                              td_shape<16, 256>(tile));
    } else if (usual && tile.side == 64) {
        td_stage_tile<Automaton, Memory, Passes, Cells, Band>(stage, other, data, tile,
                                                              td_shape<64, 256>(tile));
    } else {
        td_stage_tile<Automaton, Memory, Passes, Cells, Band>(stage, other, data, tile,
                                                              td_shape<0, 0>(tile));
    }
}

/* The elements of the second stage: the next state, or the result of the first of two passes for the last one. */
template <typename Automaton, typename Memory, bool TwoPasses = (Automaton::passes > 1)>
struct td_kept {
    typedef typename Memory::element element;
    static constexpr int planes = 1, bytes = 0;
};

template <typename Automaton, typename Memory>
struct td_kept<Automaton, Memory, true> {
    typedef float element;
    static constexpr int planes = Automaton::first::next::planes, bytes = planes * sizeof(float);
};

/* Rows of a band, by the staged bytes per cell. */
template <typename Automaton, typename Memory>
inline constexpr int td_band = td_stage_band(sizeof(typename Memory::element) * Memory::planes +
                                             td_kept<Automaton, Memory>::bytes);

template <typename Automaton, typename Memory>
using td_first_stage =
    td_stage_for<typename Memory::element, Memory::planes, td_band<Automaton, Memory>>;

template <typename Automaton, typename Memory>
using td_second_stage =
    td_stage_for<typename td_kept<Automaton, Memory>::element, td_kept<Automaton, Memory>::planes,
                 td_band<Automaton, Memory>>;

/* shared, aligned, rect, two-cell: one generation. */
template <typename Automaton, typename Memory, int Cells>
__device__ inline void td_staged(const td_data &data, td_work_tile tile)
{
    constexpr int passes = Automaton::passes, band = td_band<Automaton, Memory>;
    __shared__ td_first_stage<Automaton, Memory> stage;
    if constexpr (passes == 1) {
        td_no_stage other;
        td_stage_tile_of_any<Automaton, Memory, 1, Cells, band>(stage, other, data, tile);
    } else {
        __shared__ td_second_stage<Automaton, Memory> other;
        td_stage_tile_of_any<Automaton, Memory, passes, Cells, band>(stage, other, data, tile);
    }
}

/* A flat tile is staged as a whole; a low one and a high one use the same memory. */
template <typename T, int Planes>
union td_flat_stage {
    td_stage<T, Planes, TD_LOW_ROWS + 4, TD_LOW_WIDTH + 4> low;
    td_stage<T, Planes, TD_HIGH_ROWS + 4, TD_HIGH_WIDTH + 4> high;
};

/* Width, Rows, Threads: constants, or 0 if known only at run time. */
template <typename Automaton, typename Memory, int Cells, int Width, int Rows, int Threads,
          typename First, typename Second>
__device__ inline void td_flat_work(First &stage, Second &other, const td_data &data,
                                    td_work_tile tile)
{
    const uint32_t width = Width > 0 ? Width : tile.width, rows = Rows > 0 ? Rows : tile.side;
    const td_area area = {tile.y * rows, tile.x * width, rows, width};
    td_stage_work<Automaton, Memory, Automaton::passes, Cells>(stage, other, data, area,
                                                               td_shape<0, Threads>(tile));
}

/* Instances for the published blocks of 256 threads, 64 x 4 and 16 x 16, in which each thread works once, and one for
 * all others. With one cell per thread, 16 x 16 is a square tile. */
template <typename Automaton, typename Memory, int Cells, typename First, typename Second>
__device__ inline void td_flat_work_of_any(First &stage, Second &other, const td_data &data,
                                           td_work_tile tile)
{
    const bool usual = blockDim.x * blockDim.y == 256;
    if (usual && tile.side == 4 && tile.width == 64 * Cells) {
        td_flat_work<Automaton, Memory, Cells, 64 * Cells, 4, 256>(stage.low, other.low, data,
                                                                   tile);
    } else if (Cells > 1 && usual && tile.side == 16 && tile.width == 16 * Cells) {
        td_flat_work<Automaton, Memory, Cells, 16 * Cells, 16, 256>(stage.high, other.high, data,
                                                                    tile);
    } else if (tile.side <= TD_LOW_ROWS) {
        td_flat_work<Automaton, Memory, Cells, 0, 0, 0>(stage.low, other.low, data, tile);
    } else {
        td_flat_work<Automaton, Memory, Cells, 0, 0, 0>(stage.high, other.high, data, tile);
    }
}

/* shared, aligned, rect, two-cell on flat tiles. */
template <typename Automaton, typename Memory, int Cells>
__device__ inline void td_staged_flat(const td_data &data, td_work_tile tile)
{
    typedef td_kept<Automaton, Memory> kept;
    static_assert(Automaton::passes <= 2, "two rings at most around a flat stage");
    __shared__ td_flat_stage<typename Memory::element, Memory::planes> stage;
    if constexpr (Automaton::passes == 1) {
        td_flat_work_of_any<Automaton, Memory, Cells>(stage, stage, data, tile);
    } else {
        __shared__ td_flat_stage<typename kept::element, kept::planes> other;
        td_flat_work_of_any<Automaton, Memory, Cells>(stage, other, data, tile);
    }
}

/* two-generation, of one pass each: the first result stays in shared memory, with a ring for the pass that follows. */
template <typename Automaton, typename Memory>
__device__ inline void td_staged_twice(const td_data &data, td_work_tile tile)
{
    constexpr int band = td_band<Automaton, Memory>;
    static_assert(Automaton::passes == 1);
    __shared__ td_first_stage<Automaton, Memory> stage;
    __shared__ td_second_stage<Automaton, Memory> other;
    if (data.generations == 1) { /* the last launch of an odd number of generations */
        td_stage_tile<Automaton, Memory, 1, 1, band>(stage, other, data, tile,
                                                     td_shape<0, 0>(tile));
    } else {
        td_stage_tile_of_any<Automaton, Memory, 2, 1, band>(stage, other, data, tile);
    }
}

#endif
