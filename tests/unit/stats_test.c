/* stats_test.c - medians, spreads, and the ranks of the median's interval. */
#include "test.h"

#include <math.h>

#include "engine/core/stats.h"

/* cmocka's own comparison is in single precision. */
#define assert_near(value, expected, tolerance)                                                    \
    assert_true(fabs((value) - (expected)) <= (tolerance))

static td_summary of(const double *values, size_t count)
{
    td_summary summary;
    assert_true(td_summarise(values, count, &summary));
    return summary;
}

static void median_of_odd_count_is_the_middle_one(void **state)
{
    (void)state;
    const double values[] = {9, 1, 5};
    assert_near(of(values, 3).median, 5, 0);
    assert_near(values[0], 9, 0); /* the caller's order is unchanged */
}

static void median_of_even_count_averages_the_middle_pair(void **state)
{
    (void)state;
    const double values[] = {8, 1, 2, 5};
    assert_near(of(values, 4).median, 3.5, 0);
}

static void spread_is_that_of_a_sample(void **state)
{
    (void)state;
    const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    const td_summary s = of(values, 8);
    assert_near(s.min, 2, 0);
    assert_near(s.max, 9, 0);
    assert_near(s.mean, 5, 0);
    assert_near(s.stddev, sqrt(32.0 / 7.0), 1e-15); /* n - 1 */
}

static void one_sample_has_no_deviation_and_no_interval(void **state)
{
    (void)state;
    const double value = 3;
    const td_summary s = of(&value, 1);
    assert_near(s.median, 3, 0);
    assert_true(isnan(s.stddev));
    assert_false(s.ci95.known);
}

static void no_sample_has_nothing(void **state)
{
    (void)state;
    const td_summary s = of(NULL, 0);
    assert_true(isnan(s.median) && isnan(s.min) && isnan(s.max) && isnan(s.mean));
    assert_false(s.ci95.known);
}

static void ranks_are_those_of_the_tables(void **state)
{
    (void)state;
    static const size_t expected[][3] = {{6, 1, 6},     {31, 10, 22},  {51, 19, 33},
                                         {101, 41, 61}, {100, 40, 61}, {10, 2, 9}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        size_t low, high;
        assert_true(td_median_places(expected[i][0], &low, &high));
        assert_int_equal(low, expected[i][1]);
        assert_int_equal(high, expected[i][2]);
    }
}

static void below_six_samples_there_are_no_ranks(void **state)
{
    (void)state;
    for (size_t count = 0; count < 6; count++) {
        size_t low, high;
        assert_false(td_median_places(count, &low, &high));
    }
}

/* The share of the 2^n ways to put n samples below or above the median for which the ranks enclose it. */
static double coverage_by_enumeration(unsigned count, size_t low)
{
    unsigned long inside = 0;
    for (unsigned long ways = 0; ways < 1UL << count; ways++) {
        const size_t below = (size_t)__builtin_popcountl(ways);
        inside += below >= low && below <= count - low;
    }
    return (double)inside / (double)(1UL << count);
}

static void interval_covers_95_percent_and_the_next_narrower_one_does_not(void **state)
{
    (void)state;
    for (unsigned count = 6; count <= 20; count++) {
        size_t low, high;
        assert_true(td_median_places(count, &low, &high));
        assert_int_equal(low + high, count + 1);
        assert_true(coverage_by_enumeration(count, low) >= 0.95);
        assert_true(coverage_by_enumeration(count, low + 1) < 0.95);
    }
}

/* P(X < low). Rows of Pascal's triangle, halved at every step, stay exact enough in long double. */
static long double tail(size_t count, size_t low)
{
    static long double row[1101];
    row[0] = 1;
    for (size_t n = 1; n <= count; n++) {
        row[n] = 0;
        for (size_t k = n; k > 0; k--) {
            row[k] = (row[k] + row[k - 1]) / 2;
        }
        row[0] /= 2;
    }
    long double sum = 0;
    for (size_t k = 0; k < low; k++) {
        sum += row[k];
    }
    return sum;
}

static void large_counts_agree_with_pascals_triangle(void **state)
{
    (void)state;
    for (size_t count = 21; count <= 1100; count += 13) {
        size_t low, high;
        assert_true(td_median_places(count, &low, &high));
        assert_true(tail(count, low) <= 0.025L);
        assert_true(tail(count, low + 1) > 0.025L);
    }
}

static void a_million_samples_follow_the_normal_approximation(void **state)
{
    (void)state;
    size_t low, high;
    assert_true(td_median_places(1000001, &low, &high));
    assert_in_range(low, 499020, 499022); /* (n + 1) / 2 - 1.959964 sqrt(n) / 2 */
}

static void interval_takes_the_samples_of_its_ranks(void **state)
{
    (void)state;
    double values[51];
    for (int i = 0; i < 51; i++) {
        values[i] = (i * 20) % 51 + 1; /* 1..51 in another order */
    }
    const td_summary s = of(values, 51);
    assert_true(s.ci95.known);
    assert_near(s.median, 26, 0);
    assert_near(s.ci95.low, 19, 0);
    assert_near(s.ci95.high, 33, 0);
}

static void improvement_is_the_median_of_ratios_not_the_ratio_of_medians(void **state)
{
    (void)state;
    const double baseline[] = {2, 30, 4, 4, 4, 4, 4};
    const double ms[] = {1, 10, 1, 8, 2, 2, 4};
    td_summary s;
    assert_true(td_improvement(baseline, ms, 7, &s)); /* ratios 2 3 4 0.5 2 2 1 */
    assert_near(s.median, 2, 0);
    assert_true(s.ci95.known);
    assert_near(s.ci95.low, 0.5, 0);
    assert_near(s.ci95.high, 4, 0);
}

static void drift_that_falls_on_both_alike_leaves_the_improvement_sharp(void **state)
{
    (void)state;
    double baseline[51], ms[51];
    for (int r = 0; r < 51; r++) {
        ms[r] = 1.0 + 0.01 * r;
        baseline[r] = 1.5 * ms[r];
    }
    td_summary s;
    assert_true(td_improvement(baseline, ms, 51, &s));
    assert_near(s.median, 1.5, 1e-12);
    assert_near(s.ci95.high - s.ci95.low, 0, 1e-12);
}

/* `low` samples near 1 and the others near 1 + gap, each within `spread`. */
static bool are_two_modes(size_t count, size_t low, double gap, double spread)
{
    double values[100];
    for (size_t i = 0; i < count; i++) {
        const double share = (double)(i * 7 % 11) / 10; /* in no order */
        values[i] = 1 + spread * share + (i < low ? 0 : gap);
    }
    return of(values, count).two_modes;
}

static void two_modes_stand_apart_by_more_than_they_are_wide(void **state)
{
    (void)state;
    assert_true(are_two_modes(51, 25, 0.1, 0.02));
    assert_true(are_two_modes(51, 6, 0.1, 0.02));
    assert_true(are_two_modes(51, 45, 0.1, 0.02));
    assert_true(are_two_modes(20, 10, 0.1, 0.02));
    assert_false(are_two_modes(51, 25, 0.1, 0.1)); /* they overlap */
    assert_false(are_two_modes(51, 25, 0.0, 0.1));
    assert_false(are_two_modes(51, 25, 0.009, 0.0)); /* the gap is too small to matter */
    assert_false(are_two_modes(51, 5, 0.1, 0.02));   /* outliers */
    assert_false(are_two_modes(51, 46, 0.1, 0.02));
    assert_false(are_two_modes(19, 10, 0.1, 0.02)); /* too few to tell */
}

static void checkpoints_are_few_and_odd(void **state)
{
    static const uint32_t expected[] = {11, 15, 21, 29, 41, 57, 79, 111, 155, 217, 303, 425};
    size_t found = 0;
    (void)state;
    for (uint32_t rounds = 0; rounds <= 501; rounds++) {
        if (td_is_checkpoint(rounds)) {
            assert_true(found < COUNT(expected));
            assert_int_equal(rounds, expected[found++]);
        }
    }
    assert_int_equal(found, COUNT(expected));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checkpoints_are_few_and_odd),
        cmocka_unit_test(median_of_odd_count_is_the_middle_one),
        cmocka_unit_test(median_of_even_count_averages_the_middle_pair),
        cmocka_unit_test(spread_is_that_of_a_sample),
        cmocka_unit_test(one_sample_has_no_deviation_and_no_interval),
        cmocka_unit_test(no_sample_has_nothing),
        cmocka_unit_test(ranks_are_those_of_the_tables),
        cmocka_unit_test(below_six_samples_there_are_no_ranks),
        cmocka_unit_test(interval_covers_95_percent_and_the_next_narrower_one_does_not),
        cmocka_unit_test(large_counts_agree_with_pascals_triangle),
        cmocka_unit_test(a_million_samples_follow_the_normal_approximation),
        cmocka_unit_test(interval_takes_the_samples_of_its_ranks),
        cmocka_unit_test(improvement_is_the_median_of_ratios_not_the_ratio_of_medians),
        cmocka_unit_test(two_modes_stand_apart_by_more_than_they_are_wide),
        cmocka_unit_test(drift_that_falls_on_both_alike_leaves_the_improvement_sharp),
    };
    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
