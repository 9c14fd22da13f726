/*
 * halves.h - the differences between N numbers and their sizes: two N x N matrices, each from one of its halves.
 *
 *     tribench --workload examples/halves.h --strategy 2d --n 4096 --dump halves.npy
 *
 * Shows two outputs, and cells that write both halves of a matrix. The outputs lie one after the other in one buffer,
 * which has one type of element.
 */
#include "own.h"

TD_FN void td_halves_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const size_t n = data->n, lower = row * n + col, upper = col * n + row;
    float *far = (float *)data->output, *apart = far + n * n;
    const float difference = td_input(data, 0, row) - td_input(data, 0, col);
    far[lower] = far[upper] = fabsf(difference);
    apart[upper] = -difference;
    apart[lower] = difference; /* last: on the diagonal both are one element */
}

static inline uint64_t td_halves_elements(const td_problem *problem)
{
    return 2 * (uint64_t)problem->n * problem->n;
}

TD_DESCRIPTOR td_workload td_halves_workload = {
    .summary = "differences and their sizes, as two whole matrices",
    .element = TD_F32,
    .input = &td_columns[1],
    .output_elements = td_halves_elements,
};
