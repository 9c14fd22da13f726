/* dummy in 3D - every cell writes the sum of its coordinates to one location. */
#ifndef TD_WORKLOADS_DUMMY3_H
#define TD_WORKLOADS_DUMMY3_H

#include "dummy.h"
#include "layout3.h"

/*
 * td_dummy3_cell - x + y + z to a fixed location.
 *
 * Output  one uint32, some cell's sum
 * Source  as in 2D: Navarro and Hitschfeld, triangular domains, section III.A
 */
TD_FN void td_dummy3_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    td_store_shared((uint32_t *)data->output, x + y + z);
}

/* Checks that some cell has written: a sum is at most 2 (N - 1), and the poison is larger. `cover` checks the rest. */
TD_FN td_verdict td_dummy3_check(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    (void)z;
    return td_dummy_check(data, x, y);
}

TD_DESCRIPTOR td_workload td_dummy3_workload = {
    .name = "dummy",
    .summary = "x + y + z to one fixed place: the cost of the map alone",
    .dimension = 3,
    .element = TD_U32,
    .traits = {.proven_by_count = true},
    .output_elements = td_dummy_elements,
    .model = {.bytes = td_dummy_bytes, .int_ops = 2},
};

#endif
