/*
 * rbf.h - Gaussian kernel matrix of N points: K[i][j] = exp(-|a_i - a_j|^2 / 2).
 *
 *     tribench --workload examples/rbf.h --strategy 2d --n 4096
 *
 * Shows a cell with a loop over the columns of its input. FEATURES may be defined by another file that includes this
 * one.
 */
#include "own.h"

#ifndef FEATURES
#define FEATURES 4
#endif

TD_FN void td_rbf_cell(const td_data *data, uint32_t row, uint32_t col)
{
    float square = 0.0f;
    for (uint32_t k = 0; k < FEATURES; k++) {
        const float difference = td_input(data, k, row) - td_input(data, k, col);
        square += difference * difference;
    }
    TD_ELEMENT(float, data, row, col) = expf(-0.5f * square);
}

static inline uint64_t td_rbf_bytes(const td_problem *problem)
{
    return sizeof(float) * (td_triangle(problem->n) + (uint64_t)FEATURES * problem->n);
}

static inline uint64_t td_rbf_flops(const td_problem *problem)
{
    return (3 * FEATURES + 2) * td_triangle(problem->n);
}

TD_DESCRIPTOR td_workload td_rbf_workload = {
    .summary = "Gaussian kernel matrix",
    .element = TD_F32,
    .ulp = 4, /* a compiler may fuse a product and a sum in one kernel and not in another */
    .traits = {.own_element = true},
    .input = &td_columns[FEATURES],
    .model = {.bytes = td_rbf_bytes, .flops = td_rbf_flops},
};
