/*
 * gram.h - symmetric product C = A A^T of N rows of K numbers, which are bf16 in memory and summed in float32.
 *
 *     tribench --workload examples/gram.h --strategy 2d --n 4096 --set columns=256 --kernel tile
 *     tribench --workload examples/gram.h --strategy ltm-i --input rows.npy --set columns=784
 *
 * Shows input of another type than float32, a check within a bound of rounding, and a kernel for tiles that shares what
 * it loads. The built-in `gram` computes the same on tensor cores.
 */
#include "own.h"

enum { TD_GRAM_COLUMNS = 0 /* of data->params: K */ };

/* Number k of row i of A. */
TD_FN float td_gram_number(const td_data *data, uint32_t i, uint32_t k)
{
    const uint16_t *const a = (const uint16_t *)data->input;
    return td_half_number(a[(uint64_t)i * data->params[TD_GRAM_COLUMNS] + k], false);
}

TD_FN void td_gram_cell(const td_data *data, uint32_t row, uint32_t col)
{
    float sum = 0.0f;
    for (uint32_t k = 0; k < data->params[TD_GRAM_COLUMNS]; k++) {
        sum += td_gram_number(data, row, k) * td_gram_number(data, col, k);
    }
    TD_ELEMENT(float, data, row, col) = sum;
}

/* In double. A product of two bf16 is exact; each of K additions, in any order, is off by 2^-24 of a partial sum, which
 * is at most the sum of the products' sizes. Twice that is allowed. */
TD_FN td_verdict td_gram_check(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t columns = data->params[TD_GRAM_COLUMNS];
    double sum = 0.0, sizes = 0.0;
    td_verdict verdict = {false, 0.0, 0};
    for (uint32_t k = 0; k < columns; k++) {
        const double a = (double)td_gram_number(data, row, k);
        const double product = a * (double)td_gram_number(data, col, k);
        sum += product;
        sizes += fabs(product);
    }
    const float found = ((const float *)data->output)[td_place_2d(data, row, col)];
    verdict.error = fabs((double)found - sum);
    verdict.ok = verdict.error <= 0x1p-23 * columns * sizes;
    return verdict;
}

#ifdef __CUDACC__
/* Warp w of eight takes rows w, w + 8, ... of a tile of 32, and a lane a column. A row in shared memory is one number
 * longer, so that the lanes' columns lie in different banks. */
__device__ inline void td_gram_tile(const td_data &data, td_work_tile tile)
{
    __shared__ float rows[32][33], cols[32][33];
    const uint32_t y = tile.y * 32, x = tile.x * 32, lane = threadIdx.x, warp = threadIdx.y;
    const auto load = [&](uint32_t i, uint32_t k) {
        return i < data.n && k < data.params[TD_GRAM_COLUMNS] ? td_gram_number(&data, i, k) : 0.0f;
    };
    float sums[4] = {};
    for (uint32_t k = 0; k < data.params[TD_GRAM_COLUMNS]; k += 32) {
        for (uint32_t i = warp; i < 32; i += 8) {
            rows[i][lane] = load(y + i, k + lane);
            cols[i][lane] = load(x + i, k + lane);
        }
        __syncthreads();
        for (uint32_t j = 0; j < 32; j++) {
            for (uint32_t i = 0; i < 4; i++) {
                sums[i] += rows[warp + 8 * i][j] * cols[lane][j];
            }
        }
        __syncthreads(); /* before the next numbers overwrite these */
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t row = y + warp + 8 * i, col = x + lane;
        if (col <= row && row < data.n) {
            TD_ELEMENT(float, &data, row, col) = sums[i];
        }
    }
}
#endif

/* ---- the input ---- */

static inline uint64_t td_gram_input_bytes(const td_problem *problem)
{
    return problem->n * problem->parameters[0].count * sizeof(uint16_t);
}

static inline bool td_gram_unfit(const td_problem *problem, const float *points, uint32_t rows,
                                 uint32_t columns, td_unfit *unfit)
{
    (void)problem;
    return td_are_beyond_halves(points, rows, columns, false, unfit);
}

/* Of --input, rounded; generated, uniform in [-1, 1). */
static inline void td_gram_fill(const td_problem *problem, void *input)
{
    const uint64_t count = problem->n * problem->parameters[0].count;
    for (uint64_t at = 0; at < count; at++) {
        ((uint16_t *)input)[at] =
            td_bf16(problem->numbers != NULL ? problem->numbers[at]
                                             : 2.0f * td_random_float(problem->seed, 0, at) - 1.0f);
    }
}

static inline void td_gram_setup(const td_problem *problem, td_data *data)
{
    td_setup_triangle(problem, data);
    data->params[TD_GRAM_COLUMNS] = (uint32_t)problem->parameters[0].count;
}

static inline uint64_t td_gram_bytes(const td_problem *problem)
{
    return sizeof(float) * td_triangle(problem->n) + td_gram_input_bytes(problem);
}

static inline uint64_t td_gram_flops(const td_problem *problem)
{
    return 2 * problem->parameters[0].count * td_triangle(problem->n);
}

TD_DESCRIPTOR td_parameter td_gram_parameters[] = {{
    .name = "columns",
    .kind = TD_PARAMETER_COUNT,
    .low = 1,
    .high = 65536,
    .preset = "256",
    .argument = "K",
    .help = "numbers in a row of A",
    .key = "k",
    .in_every_key = true,
}};

TD_DESCRIPTOR td_workload_input td_gram_input = {
    .takes = "table (.csv, .npy) of N rows of K numbers",
    .columns = TD_COLUMNS_CHOSEN,
    .bytes = td_gram_input_bytes,
    .fill = td_gram_fill,
    .unfit = td_gram_unfit,
};

TD_DESCRIPTOR td_tiles td_gram_tiles = {
    .multiple = 32, .most = 32, .threads_multiple = 256, .threads_most = 256, .block = {32, 8, 1}};

TD_DESCRIPTOR td_workload td_gram_workload = {
    .summary = "symmetric product of N rows of K numbers in bf16",
    .parameters = td_gram_parameters,
    .parameter_count = 1,
    .element = TD_F32,
    .traits = {.is_rounded = true, .own_element = true},
    .input = &td_gram_input,
    .tiles = &td_gram_tiles,
    .setup = td_gram_setup,
    .model = {.bytes = td_gram_bytes, .flops = td_gram_flops},
};
