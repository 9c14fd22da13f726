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

TEST(a_few_samples_have_the_textbook_values)
{
    static const struct {
        double values[8];
        size_t count;
        double median, min, max, mean, stddev; /* NAN: there is none */
    } cases[] = {{{9, 1, 5}, 3, 5, 1, 9, 5, 4},
                 {{8, 1, 2, 5}, 4, 3.5, 1, 8, 4, 3.1622776601683795}, /* n - 1 */
                 {{2, 4, 4, 4, 5, 5, 7, 9}, 8, 4.5, 2, 9, 5, 2.138089935299395},
                 {{3}, 1, 3, 3, 3, 3, NAN},
                 {{0}, 0, NAN, NAN, NAN, NAN, NAN}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_summary s = of(cases[i].values, cases[i].count);
        const double found[] = {s.median, s.min, s.max, s.mean, s.stddev};
        const double expected[] = {cases[i].median, cases[i].min, cases[i].max, cases[i].mean,
                                   cases[i].stddev};
        for (size_t k = 0; k < COUNT(found); k++) {
            assert_true(isnan(found[k]) ? isnan(expected[k])
                                        : fabs(found[k] - expected[k]) < 1e-14);
        }
        assert_int_equal(s.ci95.known, cases[i].count >= 6);
    }
    assert_near(cases[0].values[0], 9, 0); /* the caller's order is unchanged */
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

TEST(interval_covers_95_percent_and_the_next_narrower_one_does_not)
{
    for (size_t count = 0; count <= 1100; count += count < 60 ? 1 : 13) {
        size_t low, high;
        assert_int_equal(td_median_places(count, &low, &high), count >= 6);
        if (count >= 6) {
            assert_int_equal(low + high, count + 1);
            assert_true(tail(count, low) <= 0.025L);
            assert_true(tail(count, low + 1) > 0.025L);
        }
    }
    size_t low, high; /* of a million samples, as by the normal approximation */
    assert_true(td_median_places(1000001, &low, &high));
    assert_in_range(low, 499020, 499022); /* (n + 1) / 2 - 1.959964 sqrt(n) / 2 */
}

TEST(interval_takes_the_samples_of_its_ranks)
{
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

TEST(improvement_is_the_median_of_ratios_not_the_ratio_of_medians)
{
    const double baseline[] = {2, 30, 4, 4, 4, 4, 4};
    const double ms[] = {1, 10, 1, 8, 2, 2, 4};
    td_summary s;
    assert_true(td_improvement(baseline, ms, 7, &s)); /* ratios 2 3 4 0.5 2 2 1 */
    assert_near(s.median, 2, 0);
    assert_true(s.ci95.known);
    assert_near(s.ci95.low, 0.5, 0);
    assert_near(s.ci95.high, 4, 0);
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

TEST(two_modes_stand_apart_by_more_than_they_are_wide)
{
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

TEST(checkpoints_are_few_and_odd)
{
    static const uint32_t expected[] = {11, 15, 21, 29, 41, 57, 79, 111, 155, 217, 303, 425};
    size_t found = 0;
    for (uint32_t rounds = 0; rounds <= 501; rounds++) {
        if (td_is_checkpoint(rounds)) {
            assert_true(found < COUNT(expected));
            assert_int_equal(rounds, expected[found++]);
        }
    }
    assert_int_equal(found, COUNT(expected));
}
