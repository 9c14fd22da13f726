/*
 * stages.cuh - automata whose tile and halo are staged in shared memory: shared, aligned, rect, two-cell,
 * two-generation.
 *
 * The techniques are those of the chapter on cellular automata in GPU Computing Gems and of the thesis beside it: tile
 * and halo into shared memory, rows on lines, two cells per thread, two generations per launch.
 *
 * An automaton is a class with two functions of one cell, so that each row of the stage is added up once for the three
 * rows around it: sum(left, here, right), what a row adds to a neighbourhood, and add(data, above, here, below, state,
 * row, col), the next state of cell (row, col).
 */
#ifndef TD_WORKLOADS_AUTOMATA_STAGES_CUH
#define TD_WORKLOADS_AUTOMATA_STAGES_CUH

#include "cells.h"

/* The largest tile, and two rings around it. */
enum { TD_STAGE_SIDE = 64, TD_STAGE_PITCH = TD_STAGE_SIDE + 4 };

template <typename T>
struct td_stage {
    T cell[TD_STAGE_PITCH][TD_STAGE_PITCH];
};

/* The end of what row r stores beside its cells: columns up to r + 2, or N on the square. */
__device__ inline int32_t td_stage_stored(const td_data &data, int32_t row)
{
    return td_is_square(&data) ? (int32_t)data.n + 1 : row + 3;
}

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

/* True when every cell of the tile and of `ring` rings around it is stored, so that nothing needs a test. */
__device__ inline bool td_stage_is_inside(const td_data &data, td_work_tile tile, uint32_t side,
                                          uint32_t ring)
{
    const uint32_t end_row = (tile.y + 1) * side + ring;
    const uint32_t end_col = (tile.x + 1) * side + ring;
    return tile.x > 0 && tile.y > 0 && end_row <= data.n &&
           end_col <= (td_is_square(&data) ? data.n : tile.y * side - ring);
}

/* The tile and `Ring` cells around it, one row per warp; what is not stored is dead. */
template <typename T, td_row_fn *Row, int Ring, bool Inside, typename Shape>
__device__ inline void td_stage_rows(td_stage<T> &stage, const td_data &data, td_work_tile tile,
                                     Shape shape)
{
    const uint32_t lanes = shape.threads < 32 ? shape.threads : 32;
    const uint32_t warps = shape.threads / lanes;
    const uint32_t width = shape.side + 2 * Ring;
    if (shape.thread / lanes >= warps) {
        return; /* the last, incomplete warp */
    }
#pragma unroll 3
    for (uint32_t y = shape.thread / lanes; y < width; y += warps) {
        const int32_t row = (int32_t)(tile.y * shape.side + y) - Ring;
        const int32_t end = row >= -1 && row <= (int32_t)data.n ? td_stage_stored(data, row) : -1;
        const T *from = (const T *)data.input + Row(&data, (uint32_t)row);
#pragma unroll
        for (uint32_t x = shape.thread % lanes; x < width; x += lanes) {
            const int32_t col = (int32_t)(tile.x * shape.side + x) - Ring;
            stage.cell[y][x] = Inside || (col >= -1 && col < end) ? from[col] : (T)0;
        }
    }
}

template <typename T, td_row_fn *Row, int Ring, typename Shape>
__device__ inline void td_stage_tile(td_stage<T> &stage, const td_data &data, td_work_tile tile,
                                     Shape shape)
{
    if (td_stage_is_inside(data, tile, shape.side, Ring)) {
        td_stage_rows<T, Row, Ring, true>(stage, data, tile, shape);
    } else {
        td_stage_rows<T, Row, Ring, false>(stage, data, tile, shape);
    }
}

/* Three cells of a row of the stage. */
template <typename Automaton, typename T>
__device__ inline uint32_t td_stage_sum(const td_stage<T> &stage, uint32_t y, uint32_t x)
{
    return Automaton::sum(stage.cell[y][x], stage.cell[y][x + 1], stage.cell[y][x + 2]);
}

/*
 * The next state of `Cells` neighbours in a row, down a share of `side` rows from `first_row` on: each row of the stage
 * is added up once and serves three cells. `put(y, x, state)` takes what comes out. The stage begins a ring before the
 * cells.
 */
template <typename Automaton, int Cells, typename T, typename Shape, typename Put>
__device__ inline void td_stage_advance(const td_stage<T> &stage, const td_data &data,
                                        uint32_t first_row, uint32_t first_col, uint32_t side,
                                        Shape shape, Put put)
{
    const uint32_t across = (side + Cells - 1) / Cells;
    const uint32_t strips = shape.threads > across ? shape.threads / across : 1;
    const uint32_t rows = (side + strips - 1) / strips;
    for (uint32_t item = shape.thread; item < across * strips; item += shape.threads) {
        const uint32_t x = item % across * Cells;
        const uint32_t first = item / across * rows;
        const uint32_t end = first + rows < side ? first + rows : side;
        uint32_t above[Cells], here[Cells];
        for (int k = 0; k < Cells; k++) {
            above[k] = td_stage_sum<Automaton>(stage, first, x + k);
            here[k] = td_stage_sum<Automaton>(stage, first + 1, x + k);
        }
        for (uint32_t y = first; y < end; y++) {
            uint32_t state[Cells];
            for (int k = 0; k < Cells; k++) {
                const uint32_t below = td_stage_sum<Automaton>(stage, y + 2, x + k);
                const uint32_t alive = stage.cell[y + 1][x + k + 1];
                state[k] = Automaton::add(&data, above[k], here[k], below, alive, first_row + y,
                                          first_col + x + k);
                above[k] = here[k];
                here[k] = below;
            }
            put(y, x, state);
        }
    }
}

/* `Cells` cells of one row to memory; two of them at once where both are of the domain. */
template <typename T, td_row_fn *Row, int Cells>
__device__ inline void td_stage_store(const td_data &data, uint32_t row, uint32_t col,
                                      const uint32_t (&state)[Cells])
{
    T *to = (T *)data.output + Row(&data, row) + col;
    if (Cells == 2 && td_in_domain(&data, row, col + 1)) {
        /* a row starts a line, so a pair is aligned */
        if (sizeof(T) == 4) {
            *(uint2 *)to = make_uint2(state[0], state[Cells - 1]);
        } else {
            *(uint16_t *)to = (uint16_t)(state[0] | state[Cells - 1] << 8);
        }
    } else if (td_in_domain(&data, row, col)) {
        to[0] = (T)state[0];
    }
}

/* shared, aligned, rect, two-cell: one generation. */
template <typename Automaton, typename T, td_row_fn *Row, int Cells, typename Shape>
__device__ inline void td_stage_one_generation(td_stage<T> &stage, const td_data &data,
                                               td_work_tile tile, Shape shape)
{
    const uint32_t first_row = tile.y * shape.side, first_col = tile.x * shape.side;
    td_stage_tile<T, Row, 1>(stage, data, tile, shape);
    __syncthreads();
    td_stage_advance<Automaton, Cells>(stage, data, first_row, first_col, shape.side, shape,
                                       [&](uint32_t y, uint32_t x, const uint32_t(&state)[Cells]) {
                                           td_stage_store<T, Row, Cells>(data, first_row + y,
                                                                         first_col + x, state);
                                       });
}

/* two-generation: the first is kept in shared memory, with a ring for the second; outside of the domain it is dead. */
template <typename Automaton, typename T, td_row_fn *Row, typename Shape>
__device__ inline void td_stage_both_generations(td_stage<T> &stage, td_stage<T> &next,
                                                 const td_data &data, td_work_tile tile,
                                                 Shape shape)
{
    const uint32_t first_row = tile.y * shape.side, first_col = tile.x * shape.side;
    td_stage_tile<T, Row, 2>(stage, data, tile, shape);
    __syncthreads();
    td_stage_advance<Automaton, 1>(stage, data, first_row - 1, first_col - 1, shape.side + 2, shape,
                                   [&](uint32_t y, uint32_t x, const uint32_t(&state)[1]) {
                                       const bool inside = td_in_domain(&data, first_row + y - 1,
                                                                        first_col + x - 1);
                                       next.cell[y][x] = inside ? (T)state[0] : (T)0;
                                   });
    __syncthreads();
    td_stage_advance<Automaton, 1>(next, data, first_row, first_col, shape.side, shape,
                                   [&](uint32_t y, uint32_t x, const uint32_t(&state)[1]) {
                                       td_stage_store<T, Row, 1>(data, first_row + y, first_col + x,
                                                                 state);
                                   });
}

/* Instances for the published blocks of 256 threads, 16 x 16 on a tile of 16 and 64 x 4 on a tile of 64, and one for
 * all others. */
template <typename Automaton, typename T, td_row_fn *Row, int Cells>
__device__ inline void td_staged(const td_data &data, td_work_tile tile)
{
    __shared__ td_stage<T> stage;
    const bool usual = blockDim.x * blockDim.y == 256;
    if (usual && tile.side == 16) {
        td_stage_one_generation<Automaton, T, Row, Cells>(stage, data, tile,
                                                          td_shape<16, 256>(tile));
    } else if (usual && tile.side == 64) {
        td_stage_one_generation<Automaton, T, Row, Cells>(stage, data, tile,
                                                          td_shape<64, 256>(tile));
    } else {
        td_stage_one_generation<Automaton, T, Row, Cells>(stage, data, tile, td_shape<0, 0>(tile));
    }
}

template <typename Automaton, typename T, td_row_fn *Row>
__device__ inline void td_staged_twice(const td_data &data, td_work_tile tile)
{
    __shared__ td_stage<T> stage, next;
    if (data.generations == 1) { /* the last of an odd number */
        td_stage_one_generation<Automaton, T, Row, 1>(stage, data, tile, td_shape<0, 0>(tile));
    } else if (blockDim.x * blockDim.y == 256 && tile.side == 64) {
        td_stage_both_generations<Automaton, T, Row>(stage, next, data, tile,
                                                     td_shape<64, 256>(tile));
    } else {
        td_stage_both_generations<Automaton, T, Row>(stage, next, data, tile, td_shape<0, 0>(tile));
    }
}

#endif
