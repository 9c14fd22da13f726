/* generate_test - the generator of input, against the values of an independent implementation in docs/workloads.md. */
#include "test.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_readme),
        cmocka_unit_test(values_lie_in_zero_to_one_on_a_grid_of_1024),
    };
    return cmocka_run_group_tests_name("generate", tests, NULL, NULL);
}
