/* layout.h - where the cells of a domain lie in memory, shared by the workloads with one output per cell. */
#ifndef TD_WORKLOADS_LAYOUT_H
#define TD_WORKLOADS_LAYOUT_H

#include "strategies/device.h"
#include "workload.h"

/* Rows of the lower triangle one after the other, or of the whole square. */
static inline void td_setup_triangle(const td_problem *problem, td_data *data)
{
    data->n = problem->n;
    data->full = problem->layout == TD_FULL;
    data->row_scale = data->full ? 0 : TD_PACKED_ROW_SCALE;
    data->row_offset = data->full ? 4 * problem->n : TD_PACKED_ROW_OFFSET;
}

static inline uint64_t td_triangle_elements(const td_problem *problem)
{
    return problem->layout == TD_FULL ? (uint64_t)problem->n * problem->n : td_triangle(problem->n);
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
