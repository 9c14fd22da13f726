/*
 * stats.h - statistics of samples. Pure functions on arrays; nothing here knows what was measured.
 *
 * The median of an even count averages the middle pair. The standard deviation divides by n - 1.
 * The 95 % interval of the median is the exact one of order statistics: it assumes no distribution,
 * only that samples are independent. The smallest symmetric pair of places in their order whose coverage is at
 * least 95 % is taken.
 *
 * The samples have two modes if the widest gap between sorted neighbours, with a tenth of the samples or
 * more on either side of it, is wider than twice the interquartile range of either side, and wider than
 * a hundredth of the median. docs/record.md says how often this happens by chance.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bounds of an interval; `known` is false if there were too few samples for one. */
typedef struct td_interval {
    bool known;
    double low, high;
} td_interval;

/* Summary of samples, in their own unit. Values that need more samples are NaN. */
typedef struct td_summary {
    size_t count;
    double median, min, max, mean;
    double stddev;    /* NaN below 2 samples */
    td_interval ci95; /* of the median; unknown below 6 samples */
    bool two_modes;   /* false below 20 samples */
} td_summary;

/*
 * td_median_places - the two sorted samples that enclose the median with at least 95 % confidence.
 *
 * Output  low, high: places from 1; low + high = count + 1; false below 6 samples, where no pair does
 * Exact   for any count that a program can hold; tests/unit/stats_test.c counts the coverage term by term
 * Source  David & Nagaraja, Order Statistics, section 7.1: coverage = 1 - 2 P(Binomial(n, 1/2) < low)
 */
bool td_median_places(size_t count, size_t *low, size_t *high);

/* A summary that tells the count only. */
td_summary td_unknown_summary(size_t count);

/* Half the width of the interval, divided by the median; NaN if there is no interval. */
double td_half_width(const td_summary *summary);

/*
 * td_is_checkpoint - whether --precision looks at the intervals after this many rounds: 11, 15, 21, 29, 41, 57, ...
 *
 * Looking after each round would stop where an interval is narrow by chance, and its coverage would be below 95 %. Few
 * looks, each after about 1.4 times as many samples as the last, keep the level: docs/measuring.md has the results.
 */
bool td_is_checkpoint(uint32_t rounds);

/* The median of at least one value. Sorts the values. */
double td_median(double *values, size_t count);

/*
 * td_summarise - the summary of `count` values, in any order.
 *
 * Errors  false when memory is short; *summary is then all unknown
 */
bool td_summarise(const double *values, size_t count, td_summary *summary);

/* Whether half the width of the median's interval is more than 5 % of the median. */
bool td_is_wide(const td_summary *summary);

/*
 * td_improvement - summary of the per-round ratios baseline_ms[r] / ms[r].
 *
 * Input   two arrays of `count` [ms]; round r of both was measured side by side
 * Errors  false when memory is short; *summary is then all unknown
 */
bool td_improvement(const double *baseline_ms, const double *ms, size_t count, td_summary *summary);
