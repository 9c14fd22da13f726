/* layout.h - where the cells of a domain lie in memory, shared by the workloads with one output per cell. */
#ifndef TD_WORKLOADS_LAYOUT_H
#define TD_WORKLOADS_LAYOUT_H

#include "strategies/device.h"
#include "workload.h"

/* Rows of the lower triangle one after the other, or of the whole square; or the tiles of the triangle, row by row,
 * each a whole square: see td_in_tile. */
static inline void td_setup_triangle(const td_problem *problem, td_data *data)
{
    data->n = problem->n;
    data->full = problem->layout == TD_FULL;
    data->blocked = problem->layout == TD_BLOCKED ? problem->tile : 0;
    data->row_scale = problem->layout == TD_PACKED ? TD_PACKED_ROW_SCALE : 0;
    data->row_offset = data->full      ? 4 * problem->n
                       : data->blocked ? 4 * problem->tile
                                       : TD_PACKED_ROW_OFFSET;
}

static inline uint64_t td_triangle_elements(const td_problem *problem)
{
    const uint64_t n = problem->n, side = problem->tile;
    return problem->layout == TD_FULL      ? n * n
           : problem->layout == TD_BLOCKED ? td_triangle((n + side - 1) / side) * side * side
                                           : td_triangle(n);
}

/*
 * What the cells of tile (x, y) of a blocked output take in place of `data`. A tile is a full matrix with rows of its
 * side, and its element (0, 0) is not in front of the output.
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
 * Where the cell of a 4-byte output lies: the fourth in td_row_start and the four bytes cancel.
 *
 * The row is fixed, or nvcc shares the product of the column with the size of an element among all arrays of a cell.
 */
TD_FN void *td_cell_4(const td_data *data, uint32_t row, uint32_t col)
{
    char *start = td_fixed((char *)data->output +
                           (uint64_t)row * (uint32_t)(row * data->row_scale + data->row_offset));
    return start + (uint64_t)col * 4;
}

#endif
