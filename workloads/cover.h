/* cover - every cell counts its visits: the check that a map is a bijection. */
#ifndef TD_WORKLOADS_COVER_H
#define TD_WORKLOADS_COVER_H

#include "layout.h"
#include "layout3.h"
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

TD_DESCRIPTOR td_workload td_cover_workload = {
    .name = "cover",
    .summary = "each cell counts its visits: checks that a map is right",
    .dimension = 2,
    .element = TD_U32,
    .traits = {.from_zero = true, .has_layouts = true, .counts_visits = true},
    .model = {.int_ops = 1},
};

/* ---- 3D ---- */

/*
 * td_cover3_cell - counts a visit in the cell's own counter.
 *
 * Output  one uint32 per cell, initially zero
 */
TD_FN void td_cover3_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    td_atomic_increment((uint32_t *)td_cell3_4(data, x, y, z));
}

TD_FN td_verdict td_cover3_check(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    return td_cover_verdict(((const uint32_t *)data->output)[td_place_3d(data, x, y, z)]);
}

TD_DESCRIPTOR td_workload td_cover3_workload = {
    .name = "cover",
    .summary = "each cell counts its visits: checks that a map is right",
    .dimension = 3,
    .element = TD_U32,
    .traits = {.from_zero = true, .has_layouts = true, .counts_visits = true},
    .model = {.int_ops = 1},
};

#endif
