/* gram_test.c - numbers of 16 bits, the input of products, and their check on the host. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "workloads/gram.h"

/* ---- numbers, by their definition: sign, exponent, fraction ---- */

typedef struct format {
    int exponents, fractions; /* bits */
    bool is_f16;
} format;

static const format bf16 = {8, 7, false}, f16 = {5, 10, true};

static double value_of(format of, uint32_t bits)
{
    const int fraction = (int)(bits & ((1u << of.fractions) - 1));
    const int exponent = (int)(bits >> of.fractions & ((1u << of.exponents) - 1));
    const int bias = (1 << (of.exponents - 1)) - 1;
    const double value =
        exponent == 0 ? ldexp(fraction, 1 - bias - of.fractions)
                      : ldexp(fraction + (1 << of.fractions), exponent - bias - of.fractions);
    return bits >> 15 ? -value : value;
}

static uint32_t bits_of(format of, float value)
{
    return of.is_f16 ? td_f16(value) : td_bf16(value);
}

/* All finite numbers, and what lies between each and the next: below the middle, at it, and above. */
static size_t wrong_numbers(format of)
{
    const uint32_t end = ((1u << of.exponents) - 1) << of.fractions;
    size_t wrong = 0;
    for (uint32_t bits = 0; bits < end; bits++) {
        const double low = value_of(of, bits),
                     high = value_of(of, bits + 1 < end ? bits + 1 : bits);
        const float middle = (float)((low + high) / 2);
        const uint32_t even = bits & 1 ? bits + 1 : bits;
        wrong += (double)td_half_number(bits, of.is_f16) != low;
        wrong += (double)td_half_number(bits | 0x8000, of.is_f16) != -low;
        wrong += bits_of(of, (float)low) != bits || bits_of(of, -(float)low) != (bits | 0x8000);
        if (bits + 1 < end && (double)middle > low && (double)middle < high) {
            wrong += bits_of(of, middle) != even;
            wrong += bits_of(of, nextafterf(middle, 0.0f)) != bits;
            wrong += bits_of(of, nextafterf(middle, INFINITY)) != bits + 1;
        }
    }
    return wrong;
}

TEST(numbers_of_16_bits_are_the_nearest)
{
    assert_int_equal(wrong_numbers(bf16), 0);
    assert_int_equal(wrong_numbers(f16), 0);
    assert_true(isnan(td_half_number(td_bf16(NAN), false)));
    assert_true(isnan(td_half_number(0x7e00, true)));
    assert_true(isinf(td_half_number(0xfc00, true)));
}

/* ---- the input ---- */

enum { N = 130, K = 24 };

static void *input_of(td_problem *problem, td_data *data)
{
    td_parameters_preset(&td_gram_workload, problem->parameters);
    problem->n = N;
    problem->parameters[TD_GRAM_COLUMNS].count = K;
    void *input = malloc(td_gram_input_bytes(problem));
    td_gram_fill(problem, input);
    memset(data, 0, sizeof *data);
    td_gram_setup(problem, data);
    data->input = input;
    return input;
}

TEST(input_has_the_sums_and_the_lengths_of_its_rows)
{
    td_problem problem = {.seed = 3};
    td_data data;
    void *input = input_of(&problem, &data);
    size_t wrong = 0;
    double least = 1.0, most = -1.0;
    for (uint32_t segment = 0; segment < td_gram_segments(N); segment++) {
        for (uint32_t v = 0; v < TD_GRAM_VECTORS; v++) {
            for (uint32_t k = 0; k < K; k++) {
                double sum = 0.0;
                for (uint32_t j = 64 * segment; j < 64 * segment + 64 && j < N; j++) {
                    sum += (double)td_gram_sign(v, j) *
                           (double)td_half_number(td_gram_row(&data, j)[k], false);
                }
                wrong += fabs((double)td_gram_sum(&data, segment, v)[k] - sum) > 1e-5;
            }
        }
    }
    for (uint32_t j = 0; j < N; j++) {
        double squares = 0.0;
        for (uint32_t k = 0; k < K; k++) {
            const double number = (double)td_half_number(td_gram_row(&data, j)[k], false);
            squares += number * number;
            least = fmin(least, number);
            most = fmax(most, number);
        }
        wrong += fabs((double)td_gram_lengths(&data)[j] - sqrt(squares)) > 1e-5;
    }
    wrong += (const uint8_t *)(td_gram_lengths(&data) + N) !=
             (const uint8_t *)input + td_gram_input_bytes(&problem);
    assert_int_equal(wrong, 0);
    assert_true(least >= -1.0 && least < -0.99 && most <= 1.0 && most > 0.99);
    free(input);
}

/* ---- the check ---- */

TEST(cell_may_be_off_by_its_rounding_alone)
{
    td_problem problem = {.seed = 3};
    td_data data;
    uint16_t cell, output[2];
    void *input = input_of(&problem, &data);
    data.output = output;
    data.row_scale = data.row_offset = 0;
    td_gram_cell(&data, 0, 0); /* a sum of squares, far from 0 */
    cell = output[0];
    assert_true(td_gram_check(&data, 0, 0).ok);
    output[0] = (uint16_t)(cell + 2);
    assert_false(td_gram_check(&data, 0, 0).ok);
    output[0] = (uint16_t)(cell - 2);
    assert_false(td_gram_check(&data, 0, 0).ok);
    output[0] = 0xffff; /* the poison */
    assert_false(td_gram_check(&data, 0, 0).ok);
    free(input);
}

TEST(both_places_of_a_mirrored_cell_must_be_right)
{
    td_problem problem = {.seed = 3, .layout = TD_MIRRORED};
    td_data data;
    void *input = input_of(&problem, &data);
    uint16_t *output = calloc((size_t)N * N, sizeof *output);
    const size_t place[] = {7 * N + 2, 2 * N + 7};
    data.output = output;
    td_gram_cell(&data, 7, 2);
    assert_true(td_gram_check(&data, 7, 2).ok);
    for (size_t i = 0; i < COUNT(place); i++) {
        output[place[i]] ^= 1; /* within the rounding, but not the other's value */
        assert_false(td_gram_check(&data, 7, 2).ok);
        output[place[i]] ^= 1;
    }
    td_gram_cell(&data, 5, 5);
    assert_true(td_gram_check(&data, 5, 5).ok && output[5 * N + 5] != 0);
    free(output);
    free(input);
}
