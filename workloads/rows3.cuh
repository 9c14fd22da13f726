/* rows3.cuh - the rows of a tile of a tetrahedron, for kernels that process 4-byte elements in memory order. */
#ifndef TD_WORKLOADS_ROWS3_CUH
#define TD_WORKLOADS_ROWS3_CUH

#include "layout3.h"

enum { TD_ROWS3_LINE = 32 }; /* [elements] */

/* The threads of a block in groups; each group works on one row at a time. */
typedef struct td_rows3_team {
    uint32_t first, step; /* this thread's group, and the number of groups */
    uint32_t lane, lanes;
} td_rows3_team;

/* A walk over rows `first`, `first` + `step`, ... of a tile. `at` is the row's number; y and z are its place in the
 * tile, kept without a division, which would take as long as a short row. */
typedef struct td_rows3_walk {
    uint32_t side, at, y, z;
    uint32_t step, step_y, step_z;
} td_rows3_walk;

/* A row of a tile: cells `first` .. `end` - 1; no cells if the two are equal. */
typedef struct td_rows3_row {
    uint32_t y, z;
    uint32_t first, end;
} td_rows3_row;

/* A warp per whole row; eight threads per row of a narrow tile, which has up to 32 cells. */
__device__ inline td_rows3_team td_rows3_team_of(const td_work_tile3 &tile)
{
    const uint32_t thread = td_thread_of_block();
    const uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const uint32_t lanes = tile.width > tile.side ? 32 : 8;
    return {thread / lanes, threads / lanes, thread % lanes, lanes};
}

__device__ inline td_rows3_walk td_rows3_walk_of(const td_work_tile3 &tile, uint32_t first,
                                                 uint32_t step)
{
    const uint32_t side = tile.side;
    return {side, first, first % side, first / side, step, step % side, step / side};
}

__device__ inline bool td_rows3_goes_on(const td_rows3_walk &walk)
{
    return walk.z < walk.side;
}

__device__ inline void td_rows3_step(td_rows3_walk &walk)
{
    walk.at += walk.step;
    walk.y += walk.step_y;
    walk.z += walk.step_z;
    if (walk.y >= walk.side) {
        walk.y -= walk.side;
        walk.z++;
    }
}

__device__ inline td_rows3_row td_rows3_row_of(const td_data &data, const td_work_tile3 &tile,
                                               const td_rows3_walk &walk)
{
    td_rows3_row row;
    row.y = tile.y * tile.side + walk.y;
    row.z = tile.z * tile.side + walk.z;
    row.first = tile.x * tile.side;
    row.end = row.first;
    if (row.y <= row.z && row.z < data.n) {
        row.end = max(row.first, min(row.first + tile.width, row.z - row.y + 1));
    }
    return row;
}

/*
 * Processes elements `begin` .. `end` - 1. Does::quads takes those between multiples of 16 bytes, four at a time per
 * lane of a team; Does::one takes each of the others.
 */
template <typename Does>
__device__ inline void td_rows3_run(int32_t *begin, int32_t *end, const td_rows3_team &team)
{
    int32_t *const head = (int32_t *)(((uintptr_t)begin + 15) & ~(uintptr_t)15);
    int32_t *const tail = (int32_t *)((uintptr_t)end & ~(uintptr_t)15);
    Does::quads(head, tail, team);
    if (team.lane < 4 && begin + team.lane < head && begin + team.lane < end) {
        Does::one(begin + team.lane);
    }
    if (team.lane < 4 && tail >= head && tail + team.lane < end) {
        Does::one(tail + team.lane);
    }
}

/* Rounds an element up to a line: a tile writes a run of elements from line to line. The elements before the run's
 * first line are written with the run before it; the last run ends with the tetrahedron. */
__device__ inline uint64_t td_rows3_line(uint64_t element, uint64_t elements)
{
    const uint64_t line = (element + TD_ROWS3_LINE - 1) / TD_ROWS3_LINE * TD_ROWS3_LINE;
    return min(line, elements);
}

/* A range of elements in a packed output, `first` .. `end` - 1. */
typedef struct td_rows3_span {
    uint64_t first, end;
} td_rows3_span;

/* The elements of layer z that a tile of whole rows writes. The rows are contiguous. */
__device__ inline td_rows3_span td_rows3_layer(const td_data &data, const td_work_tile3 &tile,
                                               uint32_t z)
{
    const uint64_t elements = td_tetrahedron(data.n);
    const uint32_t first_y = min(tile.y * tile.side, z + 1);
    const uint32_t end_y = min(first_y + tile.side, z + 1);
    return {td_rows3_line(td_tetra_index(0, first_y, z), elements),
            td_rows3_line(td_tetra_index(0, end_y, z), elements)};
}

/* Processes the packed rows of a narrow tile, from line to line. */
template <typename Does>
__device__ inline void td_rows3_in_lines(const td_data &data, const td_work_tile3 &tile)
{
    const td_rows3_team team = td_rows3_team_of(tile);
    const uint64_t elements = td_tetrahedron(data.n);
    int32_t *const output = (int32_t *)data.output;
    td_rows3_walk walk = td_rows3_walk_of(tile, team.first, team.step);
    for (; td_rows3_goes_on(walk); td_rows3_step(walk)) {
        const td_rows3_row row = td_rows3_row_of(data, tile, walk);
        if (row.first < row.end) {
            const uint64_t start = td_tetra_index(0, row.y, row.z);
            td_rows3_run<Does>(output + td_rows3_line(start + row.first, elements),
                               output + td_rows3_line(start + row.end, elements), team);
        }
    }
}

__device__ inline int32_t *td_rows3_start(const td_data &data, const td_rows3_row &row)
{
    return (int32_t *)td_cell3_4(&data, 0, row.y, row.z);
}

/* Processes rows that may start anywhere. */
template <typename Does>
__device__ inline void td_rows3_anywhere(const td_data &data, const td_work_tile3 &tile)
{
    const td_rows3_team team = td_rows3_team_of(tile);
    td_rows3_walk walk = td_rows3_walk_of(tile, team.first, team.step);
    for (; td_rows3_goes_on(walk); td_rows3_step(walk)) {
        const td_rows3_row row = td_rows3_row_of(data, tile, walk);
        int32_t *const start = td_rows3_start(data, row);
        td_rows3_run<Does>(start + row.first, start + row.end, team);
    }
}

/*
 * Processes a tile that is contiguous in memory: layer after layer, one warp per layer, up to the last row with a cell.
 * The padding of the rows belongs to no cell; storing it, too, makes whole lines.
 */
template <typename Does>
__device__ inline void td_rows3_in_tile(const td_data &data, td_work_tile3 tile)
{
    const td_data in = td_in_tile3(&data, tile.x, tile.y, tile.z);
    const uint32_t side = tile.side, thread = td_thread_of_block();
    const uint32_t warps = blockDim.x * blockDim.y * blockDim.z / 32;
    const td_rows3_team team = {0, 1, thread % 32, 32};
    const uint32_t x = tile.x * side, y = tile.y * side, z = tile.z * side;
    for (uint32_t at = z + thread / 32; at < min(z + side, data.n); at += warps) {
        const uint32_t rows = x + y > at ? 0 : min(side, at - x - y + 1);
        int32_t *const layer = (int32_t *)td_cell3_4(&in, x, y, at);
        td_rows3_run<Does>(layer, layer + rows * side, team);
    }
}

#endif
