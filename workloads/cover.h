/* cover - every cell counts its visits: the check that a map is a bijection. */
#ifndef TD_WORKLOADS_COVER_H
#define TD_WORKLOADS_COVER_H

#include "layout.h"
#include "place.h"

/*
 * td_cover_cell - counts a visit in the cell's own counter.
 *
 * Output  one uint32 per cell, initially zero
 */
TD_FN void td_cover_cell(const td_data *data, uint32_t row, uint32_t col)
{
    td_atomic_increment((uint32_t *)td_cell_4(data, row, col));
}

/* A cell must be visited exactly once; the error is the number of visits too many or too few. */
TD_FN td_verdict td_cover_verdict(uint32_t count)
{
    td_verdict verdict;
    verdict.ok = count == 1;
    verdict.error = count > 1 ? (double)(count - 1) : 1.0 - (double)count;
    verdict.found = 0;
    return verdict;
}

TD_FN td_verdict td_cover_check(const td_data *data, uint32_t row, uint32_t col)
{
    return td_cover_verdict(((const uint32_t *)data->output)[td_place_2d(data, row, col)]);
}

static inline uint64_t td_cover_bytes(const td_problem *problem)
{
    return 2 * sizeof(uint32_t) * td_triangle(problem->n); /* read and written */
}

TD_DESCRIPTOR td_workload td_cover_workload = {
    .name = "cover",
    .summary = "each cell counts its visits: checks that a map is right",
    .dimension = 2,
    .element = TD_U32,
    .traits = {.from_zero = true, .has_layouts = true, .counts_visits = true},
    .model = {.bytes = td_cover_bytes, .int_ops = 1},
};

#endif
