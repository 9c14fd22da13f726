/* cover in 3D - every cell counts its visits. */
#ifndef TD_WORKLOADS_COVER3_H
#define TD_WORKLOADS_COVER3_H

#include "cover.h"
#include "layout3.h"

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

static inline uint64_t td_cover3_bytes(const td_problem *problem)
{
    return 2 * sizeof(uint32_t) * td_tetrahedron(problem->n); /* read and written */
}

TD_DESCRIPTOR td_workload td_cover3_workload = {
    .name = "cover",
    .summary = "each cell counts its visits: checks that a map is right",
    .dimension = 3,
    .element = TD_U32,
    .traits = {.from_zero = true, .has_layouts = true, .counts_visits = true},
    .model = {.bytes = td_cover3_bytes, .int_ops = 1},
};

#endif
