/* layout.h - where the cells of a domain lie in memory, shared by the workloads that have an output a cell. */
#ifndef TD_LAYOUT_H
#define TD_LAYOUT_H

#include "workload.h"

/* Rows of the lower triangle one after the other, or of the whole square. */
static inline void td_setup_triangle(const td_problem *problem, td_data *data)
{
    data->n = problem->n;
    data->full = problem->layout == TD_FULL;
    data->row_a = data->full ? 0 : 1;
    data->row_b = data->full ? 2 * problem->n : 1;
}

static inline uint64_t td_triangle_elements(const td_problem *problem)
{
    return problem->layout == TD_FULL ? (uint64_t)problem->n * problem->n : td_triangle(problem->n);
}

/* The element of a cell. */
TD_FN uint64_t td_element_at(const td_data *data, uint32_t row, uint32_t col)
{
    return td_row_start(data, row) + col;
}

/*
 * Where the cell of a 4-byte output lies. The division by two in td_row_start and the four bytes cancel, which leaves a
 * GPU two multiply-adds in place of eight instructions.
 */
TD_FN void *td_cell_4(const td_data *data, uint32_t row, uint32_t col)
{
    const uint64_t row_bytes = (uint64_t)(2 * row) * (uint32_t)(row * data->row_a + data->row_b);
    return (char *)data->output + row_bytes + (uint64_t)col * 4;
}

#endif
