/*
 * tiles.cuh - the Game of Life, tile by tile: the techniques in which the threads of a block share a tile.
 *
 * The staged ones are those of the chapter on cellular automata in GPU Computing Gems and of the thesis beside it:
 * tile and halo into shared memory, rows on lines, two cells per thread, two generations per launch. `strip` stages
 * nothing: a thread holds three rows of a word of cells in registers.
 */
#ifndef TD_WORKLOADS_LIFE_TILES_CUH
#define TD_WORKLOADS_LIFE_TILES_CUH

#include "life.h"

/* The largest tile, and two rings around it. */
enum { TD_STAGE_SIDE = 64, TD_STAGE_PITCH = TD_STAGE_SIDE + 4 };

template <typename T>
struct td_stage {
    T cell[TD_STAGE_PITCH][TD_STAGE_PITCH];
};

/* The end of what row r stores beside its cells: columns up to r + 2, or N on the square. */
__device__ inline int32_t td_life_stored(const td_data &data, int32_t row)
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
        const int32_t end = row >= -1 && row <= (int32_t)data.n ? td_life_stored(data, row) : -1;
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
template <typename T>
__device__ inline uint32_t td_stage_sum(const td_stage<T> &stage, uint32_t y, uint32_t x)
{
    return (uint32_t)stage.cell[y][x] + stage.cell[y][x + 1] + stage.cell[y][x + 2];
}

/*
 * The next state of `Cells` neighbours in a row, down a share of `side` rows: each row of the stage is added up
 * once and serves three cells. `put(y, x, state)` takes what comes out. The stage begins a ring before the cells.
 */
template <typename T, int Cells, typename Shape, typename Put>
__device__ inline void td_stage_advance(const td_stage<T> &stage, const td_data &data,
                                        uint32_t side, Shape shape, Put put)
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
            above[k] = td_stage_sum(stage, first, x + k);
            here[k] = td_stage_sum(stage, first + 1, x + k);
        }
        for (uint32_t y = first; y < end; y++) {
            uint32_t state[Cells];
            for (int k = 0; k < Cells; k++) {
                const uint32_t below = td_stage_sum(stage, y + 2, x + k);
                const uint32_t alive = stage.cell[y + 1][x + k + 1];
                state[k] = td_rule_one(&data, above[k] + here[k] + below, alive);
                above[k] = here[k];
                here[k] = below;
            }
            put(y, x, state);
        }
    }
}

/* `Cells` cells of one row to memory; two of them at once where both are of the domain. */
template <typename T, td_row_fn *Row, int Cells>
__device__ inline void td_life_store(const td_data &data, uint32_t row, uint32_t col,
                                     const uint32_t (&state)[Cells])
{
    T *to = (T *)data.output + Row(&data, row) + col;
    if (Cells == 2 && td_life_inside(&data, row, col + 1)) {
        /* a row starts a line, so a pair is aligned */
        if (sizeof(T) == 4) {
            *(uint2 *)to = make_uint2(state[0], state[Cells - 1]);
        } else {
            *(uint16_t *)to = (uint16_t)(state[0] | state[Cells - 1] << 8);
        }
    } else if (td_life_inside(&data, row, col)) {
        to[0] = (T)state[0];
    }
}

/* shared, aligned, rect, two-cell: one generation. */
template <typename T, td_row_fn *Row, int Cells, typename Shape>
__device__ inline void td_life_one_generation(td_stage<T> &stage, const td_data &data,
                                              td_work_tile tile, Shape shape)
{
    td_stage_tile<T, Row, 1>(stage, data, tile, shape);
    __syncthreads();
    td_stage_advance<T, Cells>(stage, data, shape.side, shape,
                               [&](uint32_t y, uint32_t x, const uint32_t(&state)[Cells]) {
                                   td_life_store<T, Row, Cells>(data, tile.y * shape.side + y,
                                                                tile.x * shape.side + x, state);
                               });
}

/* two-generation: the first is kept in shared memory, with a ring for the second; outside of the domain it is dead. */
template <typename T, td_row_fn *Row, typename Shape>
__device__ inline void td_life_both_generations(td_stage<T> &stage, td_stage<T> &next,
                                                const td_data &data, td_work_tile tile, Shape shape)
{
    const uint32_t first_row = tile.y * shape.side, first_col = tile.x * shape.side;
    td_stage_tile<T, Row, 2>(stage, data, tile, shape);
    __syncthreads();
    td_stage_advance<T, 1>(
        stage, data, shape.side + 2, shape, [&](uint32_t y, uint32_t x, const uint32_t(&state)[1]) {
            const bool inside = td_life_inside(&data, first_row + y - 1, first_col + x - 1);
            next.cell[y][x] = inside ? (T)state[0] : (T)0;
        });
    __syncthreads();
    td_stage_advance<T, 1>(next, data, shape.side, shape,
                           [&](uint32_t y, uint32_t x, const uint32_t(&state)[1]) {
                               td_life_store<T, Row, 1>(data, first_row + y, first_col + x, state);
                           });
}

/* Instances for the published blocks of 256 threads, 16 x 16 on a tile of 16 and 64 x 4 on a tile of 64, and one for
 * all others. */
template <typename T, td_row_fn *Row, int Cells>
__device__ inline void td_life_staged(const td_data &data, td_work_tile tile)
{
    __shared__ td_stage<T> stage;
    const bool usual = blockDim.x * blockDim.y == 256;
    if (usual && tile.side == 16) {
        td_life_one_generation<T, Row, Cells>(stage, data, tile, td_shape<16, 256>(tile));
    } else if (usual && tile.side == 64) {
        td_life_one_generation<T, Row, Cells>(stage, data, tile, td_shape<64, 256>(tile));
    } else {
        td_life_one_generation<T, Row, Cells>(stage, data, tile, td_shape<0, 0>(tile));
    }
}

template <typename T, td_row_fn *Row>
__device__ inline void td_life_two_generations(const td_data &data, td_work_tile tile)
{
    __shared__ td_stage<T> stage, next;
    if (data.generations == 1) { /* the last of an odd number */
        td_life_one_generation<T, Row, 1>(stage, data, tile, td_shape<0, 0>(tile));
    } else if (blockDim.x * blockDim.y == 256 && tile.side == 64) {
        td_life_both_generations<T, Row>(stage, next, data, tile, td_shape<64, 256>(tile));
    } else {
        td_life_both_generations<T, Row>(stage, next, data, tile, td_shape<0, 0>(tile));
    }
}

/* ---- strip ---- */

/* Words of 32 bits that hold one cell (u32) or four (u8); `Words` of them are loaded and stored at once. */
template <typename T, int Words>
struct td_lanes {
    static const uint32_t cells = Words * 4 / sizeof(T);

    uint32_t sum[Words]; /* each cell with its left and right neighbours */
    uint32_t alive[Words];

    __device__ void load(const td_data &data, uint64_t row_start, uint32_t col)
    {
        const uint32_t *word = (const uint32_t *)((const T *)data.input + row_start + col);
        if (Words == 4) {
            const uint4 four = __ldg((const uint4 *)word);
            alive[0] = four.x, alive[1] = four.y, alive[2 % Words] = four.z,
            alive[3 % Words] = four.w;
        } else {
            const uint2 two = __ldg((const uint2 *)word);
            alive[0] = two.x, alive[1] = two.y;
        }
        uint32_t before = __ldg(word - 1);
        const uint32_t behind = __ldg(word + Words);
        for (int k = 0; k < Words; k++) {
            const uint32_t after = k + 1 < Words ? alive[(k + 1) % Words] : behind;
            const uint32_t left = sizeof(T) == 4 ? before : __funnelshift_l(before, alive[k], 8);
            const uint32_t right = sizeof(T) == 4 ? after : __funnelshift_r(alive[k], after, 8);
            sum[k] = left + alive[k] + right;
            before = alive[k];
        }
    }

    __device__ static void store(const td_data &data, uint64_t row_start, uint32_t col,
                                 uint32_t end, const td_lanes &above, const td_lanes &here,
                                 const td_lanes &below)
    {
        uint32_t *word = (uint32_t *)((T *)data.output + row_start + col);
        const uint32_t one = sizeof(T) == 4 ? 1u : 0x01010101u;
        uint32_t next[Words];
        for (int k = 0; k < Words; k++) {
            next[k] = one & td_rule_bytes(&data, above.sum[k] + here.sum[k] + below.sum[k],
                                          here.alive[k]);
        }
        if (col + cells > end) { /* the row ends within: what lies behind is dead */
            for (int k = 0; k < Words; k++) {
                const uint32_t first = col + (uint32_t)k * (cells / Words);
                const uint32_t left = end > first ? end - first : 0; /* cells of this word */
                next[k] &= left >= 4 / sizeof(T) ? ~0u : (1u << left * 8) - 1u;
            }
        }
        if (Words == 4) {
            *(uint4 *)word = make_uint4(next[0], next[1], next[2 % Words], next[3 % Words]);
        } else {
            *(uint2 *)word = make_uint2(next[0], next[1]);
        }
    }
};

/* The same for bits. */
struct td_bit_lanes {
    static const uint32_t cells = 32;

    td_sum2 sum;
    uint32_t alive;

    __device__ void load(const td_data &data, uint64_t row_start, uint32_t col)
    {
        const uint32_t *word = (const uint32_t *)data.input + row_start + col / 32;
        alive = __ldg(word);
        sum = td_bits_of_row(__ldg(word - 1), alive, __ldg(word + 1));
    }

    __device__ static void store(const td_data &data, uint64_t row_start, uint32_t col,
                                 uint32_t end, const td_bit_lanes &above, const td_bit_lanes &here,
                                 const td_bit_lanes &below)
    {
        const uint32_t inside = col + 32 <= end ? ~0u : (1u << (end - col)) - 1u;
        ((uint32_t *)data.output)[row_start + col / 32] =
            inside & td_bits_next(&data, above.sum, here.sum, below.sum, here.alive);
    }
};

/*
 * Each thread takes a word of cells and goes down the rows of its strip. A word that holds a cell of the domain
 * lies in the storage of its row; loads of the row above may touch what follows it, which no cell of the domain
 * depends on.
 */
template <typename Lanes, td_row_fn *Row>
__device__ inline void td_life_strips(const td_data &data, td_work_tile tile)
{
    const uint32_t side = tile.side;
    const uint32_t across = side / Lanes::cells;
    const uint32_t threads = blockDim.x * blockDim.y;
    const uint32_t strips = threads > across ? threads / across : 1;
    const uint32_t rows = (side + strips - 1) / strips;
    for (uint32_t item = threadIdx.y * blockDim.x + threadIdx.x; item < across * strips;
         item += threads) {
        const uint32_t col = tile.x * side + item % across * Lanes::cells;
        const uint32_t top = item / across * rows;
        uint32_t first = tile.y * side + top;
        uint32_t end = tile.y * side + (top + rows < side ? top + rows : side);
        end = end < data.n ? end : data.n;
        if (td_is_square(&data)) {
            end = col < data.n ? end : 0;
        } else {
            first = first > col ? first : col; /* the first row that has cells in this word */
        }
        if (first >= end) {
            continue;
        }
        Lanes above, here, below;
        above.load(data, Row(&data, first - 1), col);
        uint64_t start = Row(&data, first);
        here.load(data, start, col);
#pragma unroll 4
        for (uint32_t row = first; row < end; row++) {
            const uint64_t next = Row(&data, row + 1);
            below.load(data, next, col);
            Lanes::store(data, start, col, td_is_square(&data) ? data.n : row + 1, above, here,
                         below);
            above = here;
            here = below;
            start = next;
        }
    }
}

/* ---- the techniques by name ---- */

#define TD_LIFE_TILE(id, ...)                                                                      \
    __device__ inline void td_##id##_tile(const td_data &data, td_work_tile tile)                  \
    {                                                                                              \
        __VA_ARGS__(data, tile);                                                                   \
    }

TD_LIFE_TILE(life_shared_u32, td_life_staged<uint32_t, td_life_halo_row, 1>)
TD_LIFE_TILE(life_shared_u8, td_life_staged<uint8_t, td_life_halo_row, 1>)
TD_LIFE_TILE(life_aligned_u32, td_life_staged<uint32_t, td_life_u32_row, 1>)
TD_LIFE_TILE(life_aligned_u8, td_life_staged<uint8_t, td_life_u8_row, 1>)
TD_LIFE_TILE(life_two_cell_u32, td_life_staged<uint32_t, td_life_u32_row, 2>)
TD_LIFE_TILE(life_two_cell_u8, td_life_staged<uint8_t, td_life_u8_row, 2>)
TD_LIFE_TILE(life_two_generation_u32, td_life_two_generations<uint32_t, td_life_u32_row>)
TD_LIFE_TILE(life_two_generation_u8, td_life_two_generations<uint8_t, td_life_u8_row>)
TD_LIFE_TILE(life_strip_u32, td_life_strips<td_lanes<uint32_t, 4>, td_life_u32_row>)
TD_LIFE_TILE(life_strip_u8, td_life_strips<td_lanes<uint8_t, 2>, td_life_u8_row>)
TD_LIFE_TILE(life_strip_bit, td_life_strips<td_bit_lanes, td_life_bit_row>)

#endif
