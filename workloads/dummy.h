/* dummy - every cell writes the sum of its coordinates to one location: it measures the map and nothing else. */
#ifndef TD_WORKLOADS_DUMMY_H
#define TD_WORKLOADS_DUMMY_H

#include "layout.h"
#include "layout3.h"

/*
 * td_dummy_cell - i + j to a fixed location.
 *
 * Output  one uint32, some cell's sum
 * Source  Navarro and Hitschfeld, triangular domains, section III.A
 */
TD_FN void td_dummy_cell(const td_data *data, uint32_t row, uint32_t col)
{
    /* without this store the compiler would remove the map */
    td_store_shared((uint32_t *)data->output, row + col);
}

/* Checks that some cell has written: a sum is at most 2 (N - 1), and the poison is larger. `cover` checks the rest. */
TD_FN td_verdict td_dummy_check(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t sum = *(const uint32_t *)data->output;
    td_verdict verdict;
    (void)row;
    (void)col;
    verdict.ok = sum <= 2 * (data->n - 1);
    verdict.error = 0.0;
    verdict.found = 0;
    return verdict;
}

static inline uint64_t td_dummy_elements(const td_problem *problem)
{
    (void)problem;
    return 1;
}

static inline uint64_t td_dummy_bytes(const td_problem *problem)
{
    (void)problem;
    return sizeof(uint32_t); /* one location, however many writes */
}

TD_DESCRIPTOR td_workload td_dummy_workload = {
    .name = "dummy",
    .summary = "i + j to one fixed place: the cost of the map alone",
    .dimension = 2,
    .element = TD_U32,
    .traits = {.proven_by_count = true},
    .output_elements = td_dummy_elements,
    .model = {.bytes = td_dummy_bytes, .int_ops = 1},
};

/* ---- 3D ---- */

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
