/* rowsum - log-sum-exp along rows of products, of a batch of triangles: what an order of whole rows is worth. */
#ifndef TD_WORKLOADS_ROWSUM_H
#define TD_WORKLOADS_ROWSUM_H

#include <math.h>

#include "generate.h"
#include "layout.h"

enum {
    TD_ROWSUM_COLUMNS = 64, /* numbers of a row */
    TD_ROWSUM_BLOCK = 64,   /* columns of a triangle whose exponentials are added up first */
    TD_ROWSUM_SIDE = 128    /* the largest tile of the tile kernel [cells] */
};

/* Column k of the rows of a triangle. */
TD_FN const float *td_rowsum_column(const td_data *data, uint32_t triangle, uint32_t k)
{
    return (const float *)data->input + ((size_t)triangle * TD_ROWSUM_COLUMNS + k) * data->n;
}

/*
 * td_rowsum_cell - the logarithm of the sum over j <= row of exp(x_row . x_j / 8), on the host.
 *
 * Numbers are at most 1, so that exponents are at most 8 and no sum overflows: there is no maximum to subtract.
 *
 * Input   data: X[triangle][j][k] at input[(64 triangle + k) N + j]
 * Output  one float32 per row, triangle by triangle
 */
static inline void td_rowsum_cell(const td_data *data, uint32_t row, uint32_t triangle)
{
    float sum = 0.0f;
    for (uint32_t first = 0; first <= row; first += TD_ROWSUM_BLOCK) {
        const uint32_t left = row + 1 - first, most = TD_ROWSUM_BLOCK;
        const uint32_t count = left < most ? left : most;
        float products[TD_ROWSUM_BLOCK] = {0.0f}, block = 0.0f;
        for (uint32_t k = 0; k < TD_ROWSUM_COLUMNS; k++) {
            const float *const x = td_rowsum_column(data, triangle, k);
            for (uint32_t c = 0; c < count; c++) {
                products[c] += x[row] * x[first + c];
            }
        }
        for (uint32_t c = 0; c < count; c++) {
            block += expf(0.125f * products[c]);
        }
        sum += block;
    }
    ((float *)data->output)[(size_t)triangle * data->n + row] = logf(sum);
}

/* ---- checks ---- */

/* Sums over the columns of a row, in double: of the exponentials, and of their products with the sum of the absolute
 * values of what their exponent adds up. */
typedef struct td_rowsum_sums {
    double terms, weights;
} td_rowsum_sums;

/* Adds column `col`. */
TD_FN void td_rowsum_add(const td_data *data, uint32_t row, uint32_t col, uint32_t triangle,
                         td_rowsum_sums *sums)
{
    double product = 0.0, absolute = 0.0;
    for (uint32_t k = 0; k < TD_ROWSUM_COLUMNS; k++) {
        const float *const x = td_rowsum_column(data, triangle, k);
        const double one = (double)x[row] * (double)x[col];
        product += one;
        absolute += fabs(one);
    }
    const double term = exp(0.125 * product);
    sums->terms += term;
    sums->weights += term * absolute;
}

/*
 * The verdict on a row whose sums are known.
 *
 * With u = 2^-24, each of the 64 roundings of a product is at most u of the sum of absolute values, so that an eighth
 * of it is off by 8 u times that; the product with log2(e) / 8 and the exponential add at most 32 u, as exponents of 2
 * are below 12. A sum of positive numbers is off by u of itself per addition in sequence: at most 64 in a block, and
 * one per block. The logarithm turns what is relative into absolute, and is off by 4 u of itself.
 */
TD_FN td_verdict td_rowsum_verdict(const td_data *data, uint32_t row, uint32_t triangle,
                                   const td_rowsum_sums *sums)
{
    const double expected = log(sums->terms);
    const uint32_t blocks = 1 + row / TD_ROWSUM_BLOCK;
    const double roundings = 8.0 * sums->weights / sums->terms + 32.0 + 64.0 + (double)blocks;
    const double most = 0x1p-24 * (roundings + 4.0 * fabs(expected));
    const float found = ((const float *)data->output)[(size_t)triangle * data->n + row];
    td_verdict verdict;
    verdict.error = fabs((double)found - expected);
    verdict.ok = verdict.error <= most;
    verdict.found = 0;
    return verdict;
}

/* Checks a row against its sum in double. */
TD_FN td_verdict td_rowsum_check(const td_data *data, uint32_t row, uint32_t triangle)
{
    td_rowsum_sums sums = {0.0, 0.0};
    for (uint32_t col = 0; col <= row; col++) {
        td_rowsum_add(data, row, col, triangle, &sums);
    }
    return td_rowsum_verdict(data, row, triangle, &sums);
}

/* ---- the descriptor ---- */

static inline uint64_t td_rowsum_batch(const td_problem *problem)
{
    return problem->parameters[0].count;
}

static inline uint64_t td_rowsum_input_bytes(const td_problem *problem)
{
    return td_rowsum_batch(problem) * problem->n * TD_ROWSUM_COLUMNS * sizeof(float);
}

/* A table is the same for all triangles; generated numbers are in [-1, 1). */
static inline void td_rowsum_fill(const td_problem *problem, void *input)
{
    const uint64_t columns = td_rowsum_batch(problem) * TD_ROWSUM_COLUMNS;
    float *to = (float *)input;
    for (uint64_t c = 0; c < columns; c++) {
        for (uint64_t i = 0; i < problem->n; i++) {
            *to++ = problem->numbers != NULL
                        ? problem->numbers[i * TD_ROWSUM_COLUMNS + c % TD_ROWSUM_COLUMNS]
                        : (float)(td_random_bits(problem->seed, c, i) >> 40) * 0x1p-23f - 1.0f;
        }
    }
}

static inline bool td_rowsum_unfit(const td_problem *problem, const float *points, uint32_t rows,
                                   uint32_t columns, td_unfit *unfit)
{
    (void)problem;
    unfit->why = "has a number beyond 1: sums of exponentials might overflow";
    return td_are_beyond(points, rows, columns, 1.0f, unfit);
}

/* A product, and the exponential and its addition. */
static inline uint64_t td_rowsum_flops(const td_problem *problem)
{
    const uint32_t batch = (uint32_t)td_rowsum_batch(problem);
    uint64_t columns = 0;
    for (uint32_t b = 0; b < batch; b++) {
        columns += td_triangle(td_length_of(problem->lengths, problem->n, batch, b));
    }
    return columns * (2 * TD_ROWSUM_COLUMNS + 3);
}

TD_DESCRIPTOR td_parameter td_rowsum_parameters[] = {
    {
        .name = "batch",
        .kind = TD_PARAMETER_COUNT,
        .low = 1,
        .high = 4096,
        .preset = "1",
        .argument = "B",
        .help = "triangles of N rows each that a launch computes",
        .key = "batch",
    },
};

TD_DESCRIPTOR td_workload_input td_rowsum_input = {
    .takes = "table (.csv, .npy) of N rows and 64 columns of at most 1, for every triangle",
    .columns = TD_ROWSUM_COLUMNS,
    .bytes = td_rowsum_input_bytes,
    .fill = td_rowsum_fill,
    .unfit = td_rowsum_unfit,
};

TD_DESCRIPTOR td_tiles td_rowsum_tiles = {
    .only = "--kernel tile",
    .instead = "--kernel tile",
    .multiple = 32,
    .most = TD_ROWSUM_SIDE,
    .side = TD_ROWSUM_SIDE,
    .threads_multiple = 256,
    .threads_most = 256,
    .registers = 128,
};

TD_DESCRIPTOR td_workload td_rowsum_workload = {
    .name = "rowsum",
    .summary = "log-sum-exp along rows of 64-column products, of a batch of triangles",
    .dimension = 2,
    .parameters = td_rowsum_parameters,
    .parameter_count = 1,
    .element = TD_F32,
    .traits = {.is_rounded = true, .by_rows = true},
    .input = &td_rowsum_input,
    .tiles = &td_rowsum_tiles,
    .model = {.flops = td_rowsum_flops},
};

#endif
