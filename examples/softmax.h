/*
 * softmax.h - causal attention with numbers in place of vectors: row i is the mean of v_j for j <= i, weighted by
 * exp(q_i k_j).
 *
 *     tribench --workload examples/softmax.h --strategy rows,rows-lpt,rows-fold --n 4096 --kernel tile
 *
 * Shows a workload of whole rows, which have a length each. Its columns are q, k and v. On a GPU the kernel for tiles
 * computes the rows, a warp for each.
 */
#include "own.h"

TD_FN float td_softmax_weight(const td_data *data, uint32_t row, uint32_t col)
{
    return expf(td_input(data, 0, row) * td_input(data, 1, col));
}

/* All of row `row`, on the host. */
TD_FN void td_softmax_cell(const td_data *data, uint32_t row, uint32_t triangle)
{
    float values = 0.0f, weights = 0.0f;
    (void)triangle; /* there is one */
    for (uint32_t col = 0; col <= row; col++) {
        const float weight = td_softmax_weight(data, row, col);
        values += weight * td_input(data, 2, col);
        weights += weight;
    }
    ((float *)data->output)[row] = values / weights;
}

/* A sum of `row` numbers may be off by row / 2^24 of the sum of their sizes, and a weight by a few units more. */
TD_FN td_verdict td_softmax_check(const td_data *data, uint32_t row, uint32_t triangle)
{
    double values = 0.0, weights = 0.0, sizes = 0.0;
    td_verdict verdict = {false, 0.0, 0};
    (void)triangle;
    for (uint32_t col = 0; col <= row; col++) {
        const double weight = exp((double)td_input(data, 0, row) * (double)td_input(data, 1, col));
        const double value = (double)td_input(data, 2, col);
        values += weight * value;
        sizes += weight * fabs(value);
        weights += weight;
    }
    verdict.error = fabs((double)((const float *)data->output)[row] - values / weights);
    verdict.ok = verdict.error <= 0x1p-23 * (8.0 + (double)row) * sizes / weights;
    return verdict;
}

#ifdef __CUDACC__
__device__ inline void td_softmax_tile(const td_data &data, td_work_rows rows)
{
    const uint32_t thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32;
    const uint32_t warps = blockDim.x * blockDim.y / 32, first = rows.y * rows.side;
    for (uint32_t i = thread / 32; i < rows.side && first + i < data.n; i += warps) {
        const uint32_t row = first + i;
        float values = 0.0f, weights = 0.0f;
        for (uint32_t col = lane; col <= row; col += 32) {
            const float weight = td_softmax_weight(&data, row, col);
            values += weight * td_input(&data, 2, col);
            weights += weight;
        }
        for (uint32_t distance = 16; distance > 0; distance /= 2) {
            values += __shfl_xor_sync(~0u, values, distance);
            weights += __shfl_xor_sync(~0u, weights, distance);
        }
        if (lane == 0) {
            ((float *)data.output)[row] = values / weights;
        }
    }
}
#endif

TD_DESCRIPTOR td_tiles td_softmax_tiles = {
    .multiple = 1, .most = 64, .threads_multiple = 32, .threads_most = 1024};

TD_DESCRIPTOR td_workload td_softmax_workload = {
    .summary = "softmax along rows, of numbers",
    .element = TD_F32,
    .traits = {.is_rounded = true, .by_rows = true},
    .input = &td_columns[3],
    .tiles = &td_softmax_tiles,
};
