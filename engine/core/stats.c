/* stats.c - statistics of samples; the definitions are in the header. */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TAIL = 0.025;                  /* of a 95 % interval, on each side */
static const double LEAST_GAP = 0.01, WIDE = 0.05; /* of the median */
enum { LEAST_FOR_MODES = 20 };

bool td_median_places(size_t count, size_t *low, size_t *high)
{
    /* In logarithms, because 2^-n underflows a double at counts that occur. */
    const double n = (double)count;
    double log_term = -n * log(2.0); /* log P(X = k), X ~ Binomial(n, 1/2) */
    double below = exp(log_term);    /* P(X <= k) */
    size_t k = 0;
    while (below <= TAIL && k < count) {
        log_term += log((n - (double)k) / ((double)k + 1.0));
        below += exp(log_term);
        k++;
    }
    *low = k;
    *high = count + 1 - k;
    return k > 0;
}

td_summary td_unknown_summary(size_t count)
{
    return (td_summary){count, NAN, NAN, NAN, NAN, NAN, {false, NAN, NAN}, false};
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static void set_moments(const double *values, size_t count, td_summary *s)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    s->mean = sum / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - s->mean) * (values[i] - s->mean);
    }
    s->stddev = count < 2 ? NAN : sqrt(squares / (double)(count - 1));
}

double td_median(double *values, size_t count)
{
    const size_t half = count / 2;
    qsort(values, count, sizeof *values, by_value);
    return count % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

static double interquartile_range(const double *sorted, size_t count)
{
    return sorted[3 * count / 4] - sorted[count / 4];
}

static bool has_two_modes(const double *sorted, size_t count, double median)
{
    const size_t least = (count + 9) / 10;
    size_t cut = least;
    for (size_t i = least; i <= count - least; i++) {
        cut = sorted[i] - sorted[i - 1] > sorted[cut] - sorted[cut - 1] ? i : cut;
    }
    const double gap = sorted[cut] - sorted[cut - 1];
    return gap > LEAST_GAP * median && gap > 2 * interquartile_range(sorted, cut) &&
           gap > 2 * interquartile_range(sorted + cut, count - cut);
}

bool td_summarise(const double *values, size_t count, td_summary *summary)
{
    *summary = td_unknown_summary(count);
    double *sorted = count > 0 ? calloc(count, sizeof *sorted) : NULL;
    if (sorted == NULL) {
        return count == 0;
    }
    memcpy(sorted, values, count * sizeof *sorted);
    summary->median = td_median(sorted, count);
    summary->min = sorted[0];
    summary->max = sorted[count - 1];
    set_moments(sorted, count, summary);
    summary->two_modes = count >= LEAST_FOR_MODES && has_two_modes(sorted, count, summary->median);
    size_t low, high;
    if (td_median_places(count, &low, &high)) {
        summary->ci95 = (td_interval){true, sorted[low - 1], sorted[high - 1]};
    }
    free(sorted);
    return true;
}

bool td_is_wide(const td_summary *summary)
{
    return td_half_width(summary) > WIDE;
}

bool td_improvement(const double *baseline_ms, const double *ms, size_t count, td_summary *summary)
{
    double *ratios = calloc(count + 1, sizeof *ratios);
    *summary = td_unknown_summary(count);
    for (size_t r = 0; ratios != NULL && r < count; r++) {
        ratios[r] = baseline_ms[r] / ms[r];
    }
    const bool done = ratios != NULL && td_summarise(ratios, count, summary);
    free(ratios);
    return done;
}

double td_half_width(const td_summary *s)
{
    return s->ci95.known ? (s->ci95.high - s->ci95.low) / (2.0 * s->median) : NAN;
}

bool td_is_checkpoint(uint32_t rounds)
{
    uint64_t look = 11;
    while (look < rounds) {
        look = look * 7 / 5 | 1; /* odd, so that the median is a sample */
    }
    return look == rounds;
}
