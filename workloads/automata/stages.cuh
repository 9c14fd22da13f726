/*
 * stages.cuh - automata whose tile and halo are staged in shared memory: shared, aligned, rect, two-cell,
 * two-generation.
 *
 * The techniques are those of the chapter on cellular automata in GPU Computing Gems and of the thesis beside it: tile
 * and halo into shared memory, rows on lines, two cells per thread, two generations per launch.
 *
 * An automaton is a class with `passes`, how many neighbourhoods of radius one make a generation, and a class for the
 * first and for the last of them, which may be one. A pass has two functions of one cell, so that each row of the stage
 * is added up once for the three rows around it: sum(data, left, here, right), what a row adds to a neighbourhood, and
 * add(data, above, here, below, cell, row, col), what cell (row, col) becomes; its types cell, sums and next; and
 * outside(), what there is outside of the domain in place of the latter.
 *
 * How cells lie in memory is a class, too, td_planes or td_pairs: the same automaton works on either.
 */
#ifndef TD_WORKLOADS_AUTOMATA_STAGES_CUH
#define TD_WORKLOADS_AUTOMATA_STAGES_CUH

#include <type_traits>

#include "cells.h"

/* ---- cells in memory ---- */

/* One element per cell and plane. Walled: the planes behind the state are infinite outside of the domain. */
template <typename T, td_row_fn *Row, int Planes = 1, typename Saved = T, int Ring = 1,
          bool Walled = false>
struct td_planes {
    typedef T element;
    typedef Saved saved;
    static constexpr int planes = Planes, ring = Ring;
    const T *at[Planes];

    __device__ td_planes(const td_data &data, uint32_t row)
    {
        const uint64_t start = Row(&data, row);
        at[0] = (const T *)data.input + start;
        for (int p = 1; p < Planes; p++) {
            at[p] = (const T *)data.origin + p * data.plane + start;
        }
    }

    __device__ void load(int32_t col, T (&v)[Planes]) const
    {
        for (int p = 0; p < Planes; p++) {
            v[p] = at[p][col];
        }
    }

    __device__ static T outside(int plane)
    {
        return Walled && plane > 0 ? (T)INFINITY : (T)0;
    }

    __device__ static Saved *output(const td_data &data, uint32_t row)
    {
        return (Saved *)data.output + Row(&data, row);
    }
};

/* Two floats of a cell side by side. */
template <td_row_fn *Row>
struct td_pairs {
    typedef float element;
    typedef float saved;
    static constexpr int planes = 2, ring = 1;
    const float2 *at;

    __device__ td_pairs(const td_data &data, uint32_t row)
        : at((const float2 *)data.input + Row(&data, row))
    {
    }

    __device__ void load(int32_t col, float (&v)[2]) const
    {
        const float2 pair = at[col];
        v[0] = pair.x;
        v[1] = pair.y;
    }

    __device__ static float outside(int)
    {
        return 0.0f;
    }

    __device__ static float *output(const td_data &data, uint32_t row)
    {
        return (float *)data.output + Row(&data, row);
    }
};

__device__ inline uint32_t td_bits_of(uint32_t state)
{
    return state;
}

__device__ inline uint32_t td_bits_of(uint8_t state)
{
    return state;
}

__device__ inline uint32_t td_bits_of(float value)
{
    return __float_as_uint(value);
}

/* ---- the stage ---- */

/* The largest tile, and rings around it, two at least. Cells of many bytes are staged a band of rows at a time. */
enum { TD_STAGE_SIDE = 64 };

constexpr int td_stage_pitch(int ring)
{
    return TD_STAGE_SIDE + (ring > 2 ? 2 * ring : 4);
}

constexpr int td_stage_band(int bytes)
{
    return bytes <= 4 ? TD_STAGE_SIDE : bytes <= 8 ? TD_STAGE_SIDE / 2 : TD_STAGE_SIDE / 4;
}

template <typename T, int Planes, int Rows, int Pitch>
struct td_stage {
    static constexpr int planes = Planes;
    T cell[Planes][Rows][Pitch];

    template <typename Cell>
    __device__ Cell get(uint32_t y, uint32_t x) const
    {
        if constexpr (Planes == 1) {
            return cell[0][y][x];
        } else {
            Cell all;
            for (int p = 0; p < Planes; p++) {
                all.plane[p] = cell[p][y][x];
            }
            return all;
        }
    }

    /* What a pass made of a cell: all of its planes, or of several the first, its state. */
    template <typename Next>
    __device__ void put(uint32_t y, uint32_t x, const Next &next)
    {
        if constexpr (std::is_arithmetic_v<Next>) {
            cell[0][y][x] = (T)next;
        } else {
            for (int p = 0; p < Planes; p++) {
                cell[p][y][x] = next.plane[p];
            }
        }
    }
};

/* The shape of a tile and of a block: constants where there is an instance for it, else 0 and known at run time. */
template <int Side, int Threads>
struct td_shape {
    uint32_t side, threads, thread;

    __device__ explicit td_shape(const td_work_tile &tile)
        : side(Side > 0 ? Side : tile.side),
          threads(Threads > 0 ? Threads : blockDim.x * blockDim.y),
          thread(threadIdx.y * blockDim.x + threadIdx.x)
    {
    }
};

/* The cells that a block works on at a time: a tile, or a band of it. */
struct td_area {
    uint32_t row, col, height, width;
};

/* True when every cell of the area and of `ring` rings around it is stored, so that nothing needs a test. */
__device__ inline bool td_stage_is_inside(const td_data &data, const td_area &area, uint32_t ring)
{
    const uint32_t end_row = area.row + area.height + ring;
    const uint32_t end_col = area.col + area.width + ring;
    return area.col >= ring && area.row >= ring && end_row <= data.n &&
           end_col <= (td_is_square(&data) ? data.n : area.row - ring);
}

/* The end of what row r stores beside its cells. */
__device__ inline int32_t td_stage_stored(const td_data &data, int32_t row, int32_t ring)
{
    return td_is_square(&data) ? (int32_t)data.n + ring : row + 1 + 2 * ring;
}

/* The area and `Ring` cells around it, one row per warp; what is not stored is dead. */
template <typename Memory, int Ring, bool Inside, typename Stage, typename Shape>
__device__ inline void td_stage_rows(Stage &stage, const td_data &data, const td_area &area,
                                     Shape shape)
{
    typedef typename Memory::element element;
    constexpr int32_t stored = Memory::ring;
    const uint32_t lanes = shape.threads < 32 ? shape.threads : 32;
    const uint32_t warps = shape.threads / lanes;
    const uint32_t width = area.width + 2 * Ring, height = area.height + 2 * Ring;
    if (shape.thread / lanes >= warps) {
        return; /* the last, incomplete warp */
    }
#pragma unroll 3
    for (uint32_t y = shape.thread / lanes; y < height; y += warps) {
        const int32_t row = (int32_t)(area.row + y) - Ring;
        const int32_t end = row >= -stored && row < (int32_t)data.n + stored
                                ? td_stage_stored(data, row, stored)
                                : -stored;
        const Memory from(data, (uint32_t)row);
#pragma unroll
        for (uint32_t x = shape.thread % lanes; x < width; x += lanes) {
            const int32_t col = (int32_t)(area.col + x) - Ring;
            element v[Memory::planes];
            for (int p = 0; p < Memory::planes; p++) {
                v[p] = Memory::outside(p);
            }
            if (Inside || (col >= -stored && col < end)) {
                from.load(col, v);
            }
            for (int p = 0; p < Memory::planes; p++) {
                stage.cell[p][y][x] = v[p];
            }
        }
    }
}

template <typename Memory, int Ring, typename Stage, typename Shape>
__device__ inline void td_stage_area(Stage &stage, const td_data &data, const td_area &area,
                                     Shape shape)
{
    if (td_stage_is_inside(data, area, Ring)) {
        td_stage_rows<Memory, Ring, true>(stage, data, area, shape);
    } else {
        td_stage_rows<Memory, Ring, false>(stage, data, area, shape);
    }
}

/* Three cells of a row of the stage. */
template <typename Pass, typename Stage>
__device__ inline typename Pass::sums td_stage_sum(const Stage &stage, const td_data &data,
                                                   uint32_t y, uint32_t x)
{
    typedef typename Pass::cell cell;
    return Pass::sum(&data, stage.template get<cell>(y, x), stage.template get<cell>(y, x + 1),
                     stage.template get<cell>(y, x + 2));
}

/*
 * One pass over an area: `Cells` neighbours in a row, down a share of its rows: each row of the stage is added up once
 * and serves three cells. `put(y, x, next)` takes what comes out. The cell before the area's first is (from, from) of
 * the stage.
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
            return; /* more threads than rows: below the stage there is nothing to add up */
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

/* `Cells` cells of one row to memory; two of them at once where both are of the domain. */
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

/* One pass from stage to stage, over the area and `ring` cells around it. */
template <typename Pass, typename From, typename To, typename Shape>
__device__ inline void td_stage_pass(const From &from, To &to, const td_data &data,
                                     const td_area &area, uint32_t passes, uint32_t pass,
                                     Shape shape)
{
    typedef typename Pass::next next_t;
    const uint32_t ring = passes - pass;
    const td_area wider = {area.row - ring, area.col - ring, area.height + 2 * ring,
                           area.width + 2 * ring};
    td_stage_advance<Pass, 1>(
        from, data, wider, pass - 1, shape, [&](uint32_t y, uint32_t x, const next_t(&next)[1]) {
            const bool inside = td_in_domain(&data, wider.row + y, wider.col + x);
            to.put(y + pass, x + pass, inside ? next[0] : Pass::outside());
        });
    __syncthreads();
}

/*
 * The generations of an area: what is staged has a ring for each pass. Passes go from one stage to the other and back,
 * the last one to memory.
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
    static_assert(Passes == 1 || Passes == 2 || Passes == 4, "of the last, one of two is odd");
    td_stage_area<Memory, Passes>(stage, data, area, shape);
    __syncthreads();
    if constexpr (Passes == 1) {
        td_stage_advance<last, Cells>(stage, data, area, 0, shape, store);
    } else {
        td_stage_pass<first>(stage, other, data, area, Passes, 1, shape);
        if constexpr (Passes == 4) {
            td_stage_pass<last>(other, stage, data, area, Passes, 2, shape);
            td_stage_pass<first>(stage, other, data, area, Passes, 3, shape);
        }
        td_stage_advance<last, Cells>(other, data, area, Passes - 1, shape, store);
    }
}

/* All bands of a tile; where a tile is one, a loop of one round. */
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

/* What a stage of a pass's cells is. */
template <typename T, int Planes, int Ring, int Band>
using td_stage_for = td_stage<T, Planes, Band + 2 * (Ring > 2 ? Ring : 2), td_stage_pitch(Ring)>;

/* No second stage. */
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

/* What the second stage keeps: a next state, or what the first of two passes leaves for the last. */
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

/* Rows of a band, by the bytes that are staged of a cell. */
template <typename Automaton, typename Memory>
inline constexpr int td_band = td_stage_band(sizeof(typename Memory::element) * Memory::planes +
                                             td_kept<Automaton, Memory>::bytes);

template <typename Automaton, typename Memory, int Ring>
using td_first_stage =
    td_stage_for<typename Memory::element, Memory::planes, Ring, td_band<Automaton, Memory>>;

template <typename Automaton, typename Memory, int Ring>
using td_second_stage =
    td_stage_for<typename td_kept<Automaton, Memory>::element, td_kept<Automaton, Memory>::planes,
                 Ring, td_band<Automaton, Memory>>;

/* shared, aligned, rect, two-cell: one generation. */
template <typename Automaton, typename Memory, int Cells>
__device__ inline void td_staged(const td_data &data, td_work_tile tile)
{
    constexpr int passes = Automaton::passes, band = td_band<Automaton, Memory>;
    __shared__ td_first_stage<Automaton, Memory, passes> stage;
    if constexpr (passes == 1) {
        td_no_stage other;
        td_stage_tile_of_any<Automaton, Memory, 1, Cells, band>(stage, other, data, tile);
    } else {
        __shared__ td_second_stage<Automaton, Memory, passes> other;
        td_stage_tile_of_any<Automaton, Memory, passes, Cells, band>(stage, other, data, tile);
    }
}

/* two-generation: all but the last pass stay in shared memory, with rings for those behind it. */
template <typename Automaton, typename Memory>
__device__ inline void td_staged_twice(const td_data &data, td_work_tile tile)
{
    constexpr int passes = 2 * Automaton::passes, band = td_band<Automaton, Memory>;
    __shared__ td_first_stage<Automaton, Memory, passes> stage;
    __shared__ td_second_stage<Automaton, Memory, passes> other;
    if (data.generations == 1) { /* the last of an odd number */
        td_stage_tile<Automaton, Memory, Automaton::passes, 1, band>(stage, other, data, tile,
                                                                     td_shape<0, 0>(tile));
    } else {
        td_stage_tile_of_any<Automaton, Memory, passes, 1, band>(stage, other, data, tile);
    }
}

#endif
