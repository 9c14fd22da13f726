/* layout3.h - where the cells of a tetrahedron lie in memory. */
#ifndef TD_WORKLOADS_LAYOUT3_H
#define TD_WORKLOADS_LAYOUT3_H

#include "strategies/device.h"
#include "workload.h"

/*
 * Slice by slice (z), row by row (y), cell by cell (x). Packed: those of the tetrahedron. Full: those of the whole
 * cube. Blocked: the tiles in this order, each stored as a whole cube (see td_in_tile3). row_scale: rows per slice of a
 * cube; row_offset: bytes per row of a cube, for 4-byte elements.
 */
static inline void td_setup_tetrahedron(const td_problem *problem, td_data *data)
{
    data->n = problem->n;
    data->full = problem->layout == TD_FULL;
    data->blocked = problem->layout == TD_BLOCKED ? problem->tile : 0;
    data->row_scale = data->blocked ? problem->tile : problem->n;
    data->row_offset = 4 * data->row_scale;
}

static inline uint64_t td_tetrahedron_elements(const td_problem *problem)
{
    const uint64_t n = problem->n, side = problem->tile;
    return problem->layout == TD_FULL ? n * n * n
           : problem->layout == TD_BLOCKED
               ? td_tetrahedron((n + side - 1) / side) * side * side * side
               : td_tetrahedron(n);
}

/*
 * Index of (x, y, z) in a packed tetrahedron: Te(z) + y (2 z + 3 - y) / 2 + x.
 *
 * Exact   for z < 65535. T(z) (z + 2) is a multiple of 3, so multiplying by the inverse of 3 modulo 2^64 divides it
 */
TD_FN uint64_t td_tetra_index(uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t triangle = ((z + 1) >> 1) * (z | 1);
    const uint64_t slice = (uint64_t)triangle * (z + 2) * 0xaaaaaaaaaaaaaaabu;
    return slice + (y * (2 * z + 3 - y) >> 1) + x;
}

/*
 * Address of a cell in an output of 4-byte elements.
 *
 * Exact   for N < 65536; a larger output fits into no memory in either layout
 */
TD_FN void *td_cell3_4(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    uint64_t bytes = (uint64_t)x * 4;
    if (data->full) {
        bytes += (uint64_t)(z * data->row_scale + y) * data->row_offset;
    } else {
        bytes += td_tetra_index(0, y, z) * 4;
    }
    return td_global((char *)data->output) + bytes;
}

/* The same as td_in_tile in 3D, for tile (x, y, z). */
TD_FN td_data td_in_tile3(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    const uint64_t side = data->blocked, tile = td_tetra_index(x, y, z);
    td_data in = *data;
    in.full = 1;
    in.output = (char *)data->output + 4 * side * (side * (side * (tile - z) - y) - x);
    return in;
}

/* Elements in the output of a sum: element 0 is the total, followed by one partial sum per tile in the order of
 * td_tetra_index. */
static inline uint64_t td_sum_elements(const td_problem *problem)
{
    return 1 + td_tetrahedron(td_ceil_div(problem->n, problem->tile));
}

/* The engine adds up the partial sums; params[0] is the number of tiles per side. */
static inline void td_setup_sum(const td_problem *problem, td_data *data)
{
    td_setup_tetrahedron(problem, data);
    data->params[0] = td_ceil_div(problem->n, problem->tile);
}

#ifdef __CUDACC__
/* Index of the thread in its block, in the order in which threads form warps. */
__device__ inline uint32_t td_thread_of_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

/* Stores four cells of a row at once, for workloads that specialise this beside their cell function. */
template <auto *Cell>
struct td_quad {
    static constexpr bool exists = false;
};

/* The new value of an element, for a cell that reads and writes only its own element. A thread may then read
 * several before it writes the first; workloads specialise this beside their cell function. */
template <auto *Cell>
struct td_update {
    static constexpr bool exists = false;
};

/*
 * Runs all tiles of a block that loops over tiles, for a tile kernel that is faster with many tiles at once than one by
 * one. fits(data, side, width) tells whether it can. run(data, side, tiles) takes a list: its next(work, most) puts up
 * to `most` of the block's next tiles into `work` in shared memory and returns how many. All threads may read them
 * after a barrier.
 */
template <auto *Tile>
struct td_tiles_at_once {
    static constexpr bool exists = false;
};

/*
 * The same for blocks that take tiles from a counter: a part of the work that blocks do for equal shares of all tiles
 * before they take the first. ahead(data, side, tiles) does it for a list as above, rest(data, tile) does the rest.
 */
template <auto *Tile>
struct td_tiles_ahead {
    static constexpr bool exists = false;
};
#endif

#endif
