/* write - every cell stores the constant 1 in its own element. */
#ifndef TD_WORKLOADS_WRITE_H
#define TD_WORKLOADS_WRITE_H

#include <math.h>

#include "layout.h"
#include "place.h"

/*
 * td_write_cell - stores 1 in the cell's own element.
 *
 * Output  one int32 per cell
 * Source  Gonzalez et al., dynamic parallelism on tetrahedral domains, section V
 */
TD_FN void td_write_cell(const td_data *data, uint32_t row, uint32_t col)
{
    *(int32_t *)td_cell_4(data, row, col) = 1;
}

TD_FN td_verdict td_write_verdict(int32_t value)
{
    td_verdict verdict;
    verdict.ok = value == 1;
    verdict.error = verdict.ok ? 0.0 : fabs((double)value - 1.0);
    verdict.found = 0;
    return verdict;
}

TD_FN td_verdict td_write_check(const td_data *data, uint32_t row, uint32_t col)
{
    return td_write_verdict(((const int32_t *)data->output)[td_place_2d(data, row, col)]);
}

static inline uint64_t td_write_bytes(const td_problem *problem)
{
    return sizeof(int32_t) * td_triangle(problem->n);
}

TD_DESCRIPTOR td_workload td_write_workload = {
    .name = "write",
    .summary = "the constant 1 (int32) to the cell's own place",
    .dimension = 2,
    .element = TD_I32,
    .traits = {.has_layouts = true, .has_blocked = true, .own_element = true},
    .model = {.bytes = td_write_bytes},
};

#endif
