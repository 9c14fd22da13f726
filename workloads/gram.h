/* gram - C = A A^T, the lower triangle: products of N rows of K numbers of 16 bits. */
#ifndef TD_WORKLOADS_GRAM_H
#define TD_WORKLOADS_GRAM_H

#include <math.h>
#include <string.h>

#include "generate.h"
#include "half.h"
#include "layout.h"
#include "points.h"
#include "place.h"

/* Its parameters, in the order of its table and of td_data.params. */
enum { TD_GRAM_COLUMNS, TD_GRAM_OPERAND, TD_GRAM_RESULT, TD_GRAM_SPLIT };

enum {
    TD_GRAM_MULTIPLE = 8,    /* of K: bulk copies take rows that start at multiples of 16 bytes */
    TD_GRAM_SIDE = 256,      /* of a tile with --kernel tile [cells] */
    TD_GRAM_ROWS = 128,      /* of a block of that kernel */
    TD_GRAM_SHARED = 230656, /* memory of that block [bytes], see td_gram_block */
    TD_GRAM_SEGMENT = 64,    /* columns of C that a check adds up, see gram/check.cuh */
    TD_GRAM_VECTORS = 2      /* vectors of signs */
};

/* ---- the input: A row by row, then the sums of its rows with signs, then their lengths ---- */

TD_FN uint32_t td_gram_segments(uint32_t n)
{
    return td_ceil_div(n, TD_GRAM_SEGMENT);
}

/* The sign of row j in a vector. */
TD_FN float td_gram_sign(uint32_t vector, uint32_t j)
{
    return (td_mix64((uint64_t)vector << 32 | j) & 1) != 0 ? 1.0f : -1.0f;
}

TD_FN const uint16_t *td_gram_row(const td_data *data, uint32_t row)
{
    return (const uint16_t *)data->input + (uint64_t)row * data->params[TD_GRAM_COLUMNS];
}

/* Element k: the sum over the rows j of a segment of sign(vector, j) A[j][k]. */
TD_FN const float *td_gram_sum(const td_data *data, uint32_t segment, uint32_t vector)
{
    const float *const sums = (const float *)td_gram_row(data, data->n);
    return sums + ((uint64_t)segment * TD_GRAM_VECTORS + vector) * data->params[TD_GRAM_COLUMNS];
}

/* Element j: the length of row j of A. */
TD_FN const float *td_gram_lengths(const td_data *data)
{
    return td_gram_sum(data, td_gram_segments(data->n), 0);
}

/* ---- cells ---- */

/* Eight sums, so that no product waits for the one before it. */
TD_FN float td_gram_product(const uint16_t *a, const uint16_t *b, uint32_t columns, bool is_f16)
{
    float sums[8] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t k = 0; k < columns; k += 8) {
        for (uint32_t i = 0; i < 8; i++) {
            sums[i] += td_half_number(a[k + i], is_f16) * td_half_number(b[k + i], is_f16);
        }
    }
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/* Store a cell: a float32, or the bf16 nearest to it; mirrored, twice. */
TD_FN void td_gram_put(const td_data *data, uint32_t row, uint32_t col, float product)
{
    const uint64_t at = td_row_start(data, row) + col;
    const uint64_t mirrored = data->full == 2 ? (uint64_t)col * data->n + row : at;
    if (data->params[TD_GRAM_RESULT] != 0) {
        ((float *)data->output)[at] = ((float *)data->output)[mirrored] = product;
    } else {
        ((uint16_t *)data->output)[at] = ((uint16_t *)data->output)[mirrored] = td_bf16(product);
    }
}

/*
 * td_gram_cell - the product of rows `row` and `col` of A, in float32.
 *
 * Input   data: A[i][k] at input[i K + k], 16 bits each
 */
TD_FN void td_gram_cell(const td_data *data, uint32_t row, uint32_t col)
{
    const uint32_t columns = data->params[TD_GRAM_COLUMNS];
    const uint16_t *const a = td_gram_row(data, row), *const b = td_gram_row(data, col);
    td_gram_put(data, row, col,
                data->params[TD_GRAM_OPERAND] != 0 ? td_gram_product(a, b, columns, true)
                                                   : td_gram_product(a, b, columns, false));
}

/* ---- checks ---- */

TD_FN float td_gram_at(const td_data *data, uint64_t place)
{
    return data->params[TD_GRAM_RESULT] != 0
               ? ((const float *)data->output)[place]
               : td_half_number(((const uint16_t *)data->output)[place], false);
}

/* The cell's value; NaN if its two places in a mirrored output differ. */
TD_FN float td_gram_found(const td_data *data, uint32_t row, uint32_t col)
{
    const float found = td_gram_at(data, td_place_2d(data, row, col));
    return data->full == 2 && td_gram_at(data, (uint64_t)col * data->n + row) != found ? NAN
                                                                                       : found;
}

/*
 * The most by which a cell may be off. Each sum of products is off by 2^-23 of the largest partial sum, which is at
 * most the product of the rows' lengths; tensor cores add several products at once, and cut, so that four columns are
 * taken as one addition. A bf16 is off by 2^-8 of itself in addition.
 */
TD_FN float td_gram_error(const td_data *data, float value, float lengths)
{
    const float additions = 0.25f * (float)data->params[TD_GRAM_COLUMNS] + 8.0f;
    return additions * 0x1p-23f * lengths +
           (data->params[TD_GRAM_RESULT] != 0 ? 0.0f : 0x1p-8f * fabsf(value));
}

/* A cell's product in double, which is exact to 2^-29 of the error allowed. */
TD_FN double td_gram_exact(const td_data *data, uint32_t row, uint32_t col)
{
    const bool is_f16 = data->params[TD_GRAM_OPERAND] != 0;
    const uint16_t *const a = td_gram_row(data, row), *const b = td_gram_row(data, col);
    double product = 0.0;
    for (uint32_t k = 0; k < data->params[TD_GRAM_COLUMNS]; k++) {
        product += (double)td_half_number(a[k], is_f16) * (double)td_half_number(b[k], is_f16);
    }
    return product;
}

TD_FN td_verdict td_gram_check(const td_data *data, uint32_t row, uint32_t col)
{
    const float *const lengths = td_gram_lengths(data);
    const double product = td_gram_exact(data, row, col);
    td_verdict verdict;
    verdict.found = 0;
    verdict.error = fabs((double)td_gram_found(data, row, col) - product);
    verdict.ok =
        verdict.error <= (double)td_gram_error(data, (float)product, lengths[row] * lengths[col]);
    return verdict;
}

/* ---- the descriptor ---- */

static inline uint64_t td_gram_columns(const td_problem *problem)
{
    return problem->parameters[TD_GRAM_COLUMNS].count;
}

static inline uint64_t td_gram_input_bytes(const td_problem *problem)
{
    const uint64_t sums = (uint64_t)td_gram_segments(problem->n) * TD_GRAM_VECTORS;
    return td_gram_columns(problem) * (problem->n * sizeof(uint16_t) + sums * sizeof(float)) +
           problem->n * sizeof(float);
}

static inline bool td_gram_unfit(const td_problem *problem, const float *points, uint32_t rows,
                                 uint32_t columns, td_unfit *unfit)
{
    const bool is_f16 = problem->parameters[TD_GRAM_OPERAND].count != 0;
    return td_are_beyond_halves(points, rows, columns, is_f16, unfit);
}

static inline void td_gram_setup(const td_problem *problem, td_data *data)
{
    td_setup_triangle(problem, data);
    for (uint32_t p = TD_GRAM_COLUMNS; p <= TD_GRAM_SPLIT; p++) {
        data->params[p] = (uint32_t)problem->parameters[p].count;
    }
}

static inline void td_gram_expected(const td_data *data, uint32_t row, uint32_t col, void *element)
{
    const float product = (float)td_gram_exact(data, row, col);
    const uint16_t half = td_bf16(product);
    if (data->params[TD_GRAM_RESULT] != 0) {
        memcpy(element, &product, sizeof product);
    } else {
        memcpy(element, &half, sizeof half);
    }
}

static inline uint64_t td_gram_bytes(const td_problem *problem)
{
    const bool is_f32 = problem->parameters[TD_GRAM_RESULT].count != 0;
    const uint64_t n = problem->n;
    const uint64_t cells = problem->layout == TD_MIRRORED ? n * n : td_triangle(n);
    return td_gram_columns(problem) * n * sizeof(uint16_t) +
           cells * (is_f32 ? sizeof(float) : sizeof(uint16_t));
}

static inline uint64_t td_gram_flops(const td_problem *problem)
{
    return 2 * td_gram_columns(problem) * td_triangle(problem->n);
}

/* In gram/fill.c. */
#ifdef __cplusplus
extern "C" {
#endif
void td_gram_fill(const td_problem *problem, void *input);
const td_workload *td_gram_variant(const td_problem *problem, const char **why);
#ifdef __cplusplus
}
#endif

TD_DESCRIPTOR td_parameter td_gram_parameters[] = {
    {
        .name = "columns",
        .kind = TD_PARAMETER_COUNT,
        .low = TD_GRAM_MULTIPLE,
        .high = 65536,
        .preset = "1024",
        .argument = "K",
        .help = "numbers in a row of A, a multiple of 8",
        .key = "k",
        .in_every_key = true,
    },
    {
        .name = "operand",
        .kind = TD_PARAMETER_CHOICE,
        .choices = "bf16|f16",
        .preset = "bf16",
        .argument = "FORMAT",
        .help = "the format of A's numbers",
        .key = "",
    },
    {
        .name = "result",
        .kind = TD_PARAMETER_CHOICE,
        .choices = "bf16|f32",
        .preset = "bf16",
        .argument = "FORMAT",
        .help = "the format of a product's cells",
        .key = "to-",
    },
    {
        .name = "split",
        .kind = TD_PARAMETER_CHOICE,
        .choices = "none|stream-k",
        .preset = "stream-k",
        .argument = "HOW",
        .help = "whether persistent blocks of a product's tile kernel share the last tiles along K",
        .key = "split-",
    },
};

TD_DESCRIPTOR td_workload_input td_gram_input = {
    .takes = "table (.csv, .npy) of N rows of K numbers",
    .columns = TD_COLUMNS_CHOSEN,
    .of_halves = true,
    .bytes = td_gram_input_bytes,
    .fill = td_gram_fill,
    .unfit = td_gram_unfit,
};

TD_DESCRIPTOR td_tiles td_gram_tiles = {
    .multiple = TD_GRAM_SIDE,
    .most = TD_GRAM_SIDE,
    .side = TD_GRAM_SIDE,
    .threads_multiple = 256,
    .threads_most = 256,
    .block = {32, 8, 1},
    .banded = true,
    .band = TD_GRAM_ROWS,
    .cluster_shared = TD_GRAM_SHARED,
    .cluster_copiers = 128,
    .registers = 128, /* without clusters: two blocks on an SM */
};

TD_DESCRIPTOR td_workload td_gram_workload = {
    .name = "gram",
    .summary =
        "symmetric product C = A A^T of N rows of K numbers, on tensor cores with --kernel tile",
    .dimension = 2,
    .parameters = td_gram_parameters,
    .parameter_count = sizeof td_gram_parameters / sizeof td_gram_parameters[0],
    .element = TD_BF16,
    .traits = {.has_layouts = true,
               .has_mirrored = true,
               .is_rounded = true,
               .expected = td_gram_expected,
               .own_element = true},
    .input = &td_gram_input,
    .tiles = &td_gram_tiles,
    .variant = td_gram_variant,
    .setup = td_gram_setup,
    .model = {.bytes = td_gram_bytes, .flops = td_gram_flops},
};

#endif
