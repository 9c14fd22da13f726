/* layout.h - where the cells of a domain lie in memory, shared by the workloads with one output per cell. */
#ifndef TD_WORKLOADS_LAYOUT_H
#define TD_WORKLOADS_LAYOUT_H

#include "strategies/device.h"
#include "workload.h"

/* Packed: the rows of the lower triangle, one after the other. Full: the rows of the whole square. Mirrored: the same,
 * and each cell is stored in both halves. Blocked: the tiles of the triangle row by row, each stored as a whole square
 * (see td_in_tile). */
static inline void td_setup_triangle(const td_problem *problem, td_data *data)
{
    data->n = problem->n;
    data->full = problem->layout == TD_FULL ? 1 : problem->layout == TD_MIRRORED ? 2 : 0;
    data->blocked = problem->layout == TD_BLOCKED ? problem->tile : 0;
    data->row_scale = problem->layout == TD_PACKED ? TD_PACKED_ROW_SCALE : 0;
    data->row_offset = data->full      ? 4 * problem->n
                       : data->blocked ? 4 * problem->tile
                                       : TD_PACKED_ROW_OFFSET;
}

static inline uint64_t td_triangle_elements(const td_problem *problem)
{
    const uint64_t n = problem->n, side = problem->tile;
    return problem->layout == TD_PACKED    ? td_triangle(n)
           : problem->layout == TD_BLOCKED ? td_triangle((n + side - 1) / side) * side * side
                                           : n * n;
}

/*
 * The data for the cells of tile (x, y) of a blocked output, in place of `data`. A tile is a full matrix with rows of
 * `side` elements. The address that cell (0, 0) would have in it is never before the output.
 */
TD_FN td_data td_in_tile(const td_data *data, uint32_t x, uint32_t y)
{
    const uint64_t side = data->blocked, tile = td_triangle(y) + x;
    td_data in = *data;
    in.full = 1;
    in.output = (char *)data->output + 4 * side * (side * (tile - y) - x);
    return in;
}

/*
 * Address of a cell in an output of 4-byte elements: the division by 4 in td_row_start and the four bytes cancel.
 *
 * td_fixed holds the row's start together. Without it nvcc shares the product of column and element size among all
 * arrays of a cell.
 */
TD_FN void *td_cell_4(const td_data *data, uint32_t row, uint32_t col)
{
    char *start = td_fixed((char *)data->output +
                           (uint64_t)row * (uint32_t)(row * data->row_scale + data->row_offset));
    return start + (uint64_t)col * 4;
}

#endif
