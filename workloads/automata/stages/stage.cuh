/* stage.cuh - the stage, which is a tile and the cells around it in shared memory, and how it is filled from cells in
 * planes or in pairs. */
#ifndef TD_WORKLOADS_AUTOMATA_STAGES_STAGE_CUH
#define TD_WORKLOADS_AUTOMATA_STAGES_STAGE_CUH

#include <type_traits>

#include "workloads/automata/state/cells.h"

/* The side of the largest tile. A stage also has two rings around it. Cells of many bytes are staged one band of rows
 * at a time. */
enum { TD_STAGE_SIDE = 64, TD_STAGE_PITCH = TD_STAGE_SIDE + 4 };

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

    /* Stores the result of a pass for a cell: all of its planes, or only the first, its state. */
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

/* ---- the cells in memory ---- */

/* One element per cell and plane. Walled: the planes after the state are infinite outside of the domain. */
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

/* The two floats of a cell side by side. */
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

/* ---- filling the stage ---- */

/* The shape of a tile and of a block: constants in the instances for one shape; 0 where it is known only at run
 * time. */
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

/* Whether every cell of the area and of `ring` rings around it is stored, so that no load needs a test. */
__device__ inline bool td_stage_is_inside(const td_data &data, const td_area &area, uint32_t ring)
{
    const uint32_t end_row = area.row + area.height + ring;
    const uint32_t end_col = area.col + area.width + ring;
    return area.col >= ring && area.row >= ring && end_row <= data.n &&
           end_col <= (td_is_square(&data) ? data.n : area.row - ring);
}

/* The end of the columns that row `row` stores. */
__device__ inline int32_t td_stage_stored(const td_data &data, int32_t row, int32_t ring)
{
    return td_is_square(&data) ? (int32_t)data.n + ring : row + 1 + 2 * ring;
}

/* Stages the area and `Ring` cells around it, one row per warp at a time; cells that are not stored are dead. */
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

#endif
