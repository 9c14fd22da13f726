#include "workloads/gram.h"
#include "workloads/workloads.h"

/* ---- the input ---- */

/* A number of A, generated in [-1, 1) with 24 bits: how long a tensor core can run at its highest clock depends on the
 * bits, and rounded numbers would let it. */
static uint16_t number_at(const td_problem *problem, uint64_t at)
{
    const float number =
        problem->numbers != NULL
            ? problem->numbers[at]
            : (float)(td_random_bits(problem->seed, 0, at) >> 40) * 0x1p-23f - 1.0f;
    return problem->parameters[TD_GRAM_OPERAND].count != 0 ? td_f16(number) : td_bf16(number);
}

static void add_row(const td_data *data, uint32_t row, float *sums)
{
    const uint32_t columns = data->params[TD_GRAM_COLUMNS];
    const uint16_t *const a = td_gram_row(data, row);
    for (uint32_t v = 0; v < TD_GRAM_VECTORS; v++) {
        const float sign = td_gram_sign(v, row);
        for (uint32_t k = 0; k < columns; k++) {
            const float number = td_half_number(a[k], data->params[TD_GRAM_OPERAND] != 0);
            sums[v * columns + k] += sign * number;
        }
    }
}

static float length_of(const td_data *data, uint32_t row)
{
    double squares = 0.0;
    for (uint32_t k = 0; k < data->params[TD_GRAM_COLUMNS]; k++) {
        const double number =
            (double)td_half_number(td_gram_row(data, row)[k], data->params[TD_GRAM_OPERAND] != 0);
        squares += number * number;
    }
    return (float)sqrt(squares);
}

void td_gram_fill(const td_problem *problem, void *input)
{
    td_data data = {.input = input};
    td_gram_setup(problem, &data);
    const uint32_t n = data.n, columns = data.params[TD_GRAM_COLUMNS];
    const int32_t segments = (int32_t)td_gram_segments(n);
    float *const lengths = (float *)(uintptr_t)td_gram_lengths(&data);
#pragma omp parallel for schedule(static)
    for (int32_t s = 0; s < segments; s++) {
        float *const sums = (float *)(uintptr_t)td_gram_sum(&data, (uint32_t)s, 0);
        const uint32_t first = (uint32_t)s * TD_GRAM_SEGMENT, end = first + TD_GRAM_SEGMENT;
        memset(sums, 0, (size_t)TD_GRAM_VECTORS * columns * sizeof *sums);
        for (uint32_t row = first; row < end && row < n; row++) {
            uint16_t *const a = (uint16_t *)(uintptr_t)td_gram_row(&data, row);
            for (uint32_t k = 0; k < columns; k++) {
                a[k] = number_at(problem, (uint64_t)row * columns + k);
            }
            add_row(&data, row, sums);
            lengths[row] = length_of(&data, row);
        }
    }
}

/* ---- the descriptor for an output of float32 ---- */

const td_workload *td_gram_variant(const td_problem *problem, const char **why)
{
    static td_workload of_floats;
    if (td_gram_columns(problem) % TD_GRAM_MULTIPLE != 0) {
        *why =
            "--set columns: expected a multiple of 8, because rows start at multiples of 16 bytes";
        return NULL;
    }
    of_floats = td_gram_workload;
    of_floats.element = TD_F32;
    return problem->parameters[TD_GRAM_RESULT].count != 0 ? &of_floats
                                                          : td_workloads[TD_WORKLOAD_gram];
}
