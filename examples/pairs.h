/*
 * pairs.h - potential of N bodies: each sums m / r over the bodies before it.
 *
 *     tribench --workload examples/pairs.h --strategy 2d --n 4096
 *
 * Shows an output that is not one element per cell: every cell of a row adds to the row's sum. The order of the
 * additions is the map's, so sums differ in the last digits, by at most 2 ulp per term.
 */
#include "own.h"

TD_FN void td_pairs_cell(const td_data *data, uint32_t row, uint32_t col)
{
    if (col < row) {
        const float x = td_input(data, 0, row) - td_input(data, 0, col);
        const float y = td_input(data, 1, row) - td_input(data, 1, col);
        const float z = td_input(data, 2, row) - td_input(data, 2, col);
        const float softened = x * x + y * y + z * z + 0x1p-20f;
        TD_ATOMIC_ADD((double *)data->output + row,
                      (double)td_input(data, 3, col) * td_rsqrt(softened));
    }
}

static inline uint64_t td_pairs_elements(const td_problem *problem)
{
    return problem->n;
}

TD_DESCRIPTOR td_workload td_pairs_workload = {
    .summary = "potential of each body, by the bodies before it",
    .element = TD_F64,
    .traits = {.from_zero = true},
    .input = &td_columns[4], /* x, y, z, mass */
    .output_elements = td_pairs_elements,
};
