/* generate_test - the generator of input, against the values of an independent implementation in docs/workloads.md. */
#include "test.h"

#include <stdio.h>

#include "workloads/workloads.h"
#include "workloads/generate.h"

static const struct {
    uint64_t seed, stream, index, bits;
    float value;
} known[] = {
    {1u, 0, 0, 0x5e41ab087439611eu, 377.0f / 1024.0f},
    {1u, 3, 1000, 0x24494a34d5c8f496u, 145.0f / 1024.0f},
    {18446744073709551615u, 1, 30719, 0x1c7b89fad22f8164u, 113.0f / 1024.0f},
};

static void values_are_those_of_the_readme(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint64_t bits = td_random_bits(known[i].seed, known[i].stream, known[i].index);
        const float value = td_random_float(known[i].seed, known[i].stream, known[i].index);
        assert_true(bits == known[i].bits);
        assert_true(value == known[i].value);
    }
}

static void values_lie_in_zero_to_one_on_a_grid_of_1024(void **state)
{
    double sum = 0.0;
    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        const float value = td_random_float(5, 2, i);
        assert_true(value >= 0.0f && value < 1.0f);
        assert_true(value * 1024.0f == (float)(int)(value * 1024.0f));
        sum += (double)value;
    }
    assert_true(sum > 49500.0 && sum < 50400.0); /* mean 1/2 - 2^-11, five deviations */
}

/* ---- the inputs, from the formulas of docs/workloads.md alone ---- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A number in units of 1/1024. */
static uint32_t number(uint64_t seed, uint64_t stream, uint64_t index)
{
    const uint64_t g = 0x9e3779b97f4a7c15u;
    return (uint32_t)(mix(mix(seed + g * (stream + 1)) + g * (index + 1)) >> 54);
}

enum { SEED = 5, SIDE = 40 };

static const float *input_of(const char *name, int dimension, uint32_t n)
{
    static float input[1024];
    const td_workload *workload = td_workload_find(name, dimension);
    const td_problem problem = {.n = n, .seed = SEED};
    assert_true(td_workload_input_bytes(workload, &problem) <= sizeof input);
    td_workload_fill(workload, &problem, input);
    return input;
}

static void features_of_edm_have_a_stream_each(void **state)
{
    size_t wrong = 0;
    (void)state;
    for (uint32_t d = 1; d <= 4; d++) {
        char name[8];
        snprintf(name, sizeof name, "edm%u", d);
        const float *input = input_of(name, 2, SIDE);
        for (uint32_t k = 0; k < d; k++) {
            for (uint32_t i = 0; i < SIDE; i++) {
                wrong += input[k * SIDE + i] * 1024.0f != (float)number(SEED, k, i);
            }
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_readme),
        cmocka_unit_test(values_lie_in_zero_to_one_on_a_grid_of_1024),
        cmocka_unit_test(features_of_edm_have_a_stream_each),
    };
    return cmocka_run_group_tests_name("generate", tests, NULL, NULL);
}
