#include "tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/stats.h"
#include "engine/needs/execution.h"

/* Runs of a group share buffers and input, which take longer to make than a short trial; a crash costs the group. */
enum { GROUP_RUNS = 128 };

/* The launches of an automaton take as long as each other: a trial makes a few of them for each sample that it takes,
 * and never more than let caches and clocks settle. */
enum { LAUNCHES_PER_SAMPLE = 2, MOST_LAUNCHES = 16 };

/* Where N is so large that a quarter of it says which runs are hopeless, those need no trial. Smaller domains have too
 * few of the largest tiles for all processors of a GPU, and would be wrong about them. */
enum { LEAST_TO_SCREEN = 6144, OF_N = 4 };
static const double hopeless = 2.0; /* times as long as the fastest */

/* A short trial samples no longer than this, but takes one sample at least. */
static const double short_time_s = 0.25;

typedef struct tune {
    const td_tuner *tuner;
    td_tuning *tuning;
    td_trial **list;  /* of those that are still in, the fastest first */
    td_trial **open;  /* of those, what is to be measured next */
    double *small_ms; /* of each run of the space, at a smaller N */
    td_error *error;
} tune;

/* ---- one measurement ---- */

static double median_of(const td_result *result)
{
    td_summary summary;
    return result->status == TD_RUN_OK &&
                   td_summarise(result->sample_ms, result->sample_count, &summary)
               ? summary.median
               : NAN;
}

static void settle(td_trial *trial, const td_result *result)
{
    trial->status = result->status;
    trial->samples = result->sample_count;
    if (result->verified != TD_VERIFIED_NONE) { /* by an earlier round otherwise */
        trial->verified = result->verified;
    }
    trial->median_ms = median_of(result);
    memcpy(trial->reason, result->reason, sizeof trial->reason);
    if (trial->status == TD_RUN_FAILED && trial->reason[0] == '\0') {
        snprintf(trial->reason, sizeof trial->reason, "the output differs from the reference");
    }
}

static td_status tell_all(const tune *t, td_trial *const *trials, td_result *results, size_t count)
{
    td_status status = TD_OK;
    for (size_t i = 0; i < count; i++) {
        settle(trials[i], &results[i]);
        if (status == TD_OK && trials[i]->status != TD_RUN_INTERRUPTED) {
            status = t->tuner->tell(t->tuner->context, trials[i], &results[i], t->error);
        }
        free(results[i].sample_ms);
    }
    return status;
}

/* Of the first sample one, which is enough to drop the slow ones; then they grow with the samples. */
static uint32_t launches_for(uint32_t samples)
{
    return samples == 1                                    ? 1
           : samples < MOST_LAUNCHES / LAUNCHES_PER_SAMPLE ? samples * LAUNCHES_PER_SAMPLE
                                                           : MOST_LAUNCHES;
}

/* The run with fewer launches, and how many times longer the whole takes. */
static td_run shorten(const td_run *run, uint32_t samples, double *factor)
{
    td_run brief = *run;
    const uint32_t launches = td_run_launches(run);
    const uint32_t few = launches_for(samples);
    *factor = 1.0;
    if (launches > few) {
        const uint32_t each = td_launch_generations(run->engine, run->workload);
        td_workload_set_steps(run->workload, &brief.problem, few * each);
        *factor = (double)launches / few;
    }
    return brief;
}

/* The times at a smaller N, which are no result of the trials: NaN of what failed there. */
static void note_times(const tune *t, td_trial *const *trials, td_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        t->small_ms[trials[i] - t->tuning->trials] = median_of(&results[i]);
        free(results[i].sample_ms);
    }
}

/* Measure some trials as one group; at a smaller N where n is one. */
static td_status measure(const tune *t, td_trial *const *trials, size_t count, uint32_t n,
                         const td_protocol *protocol)
{
    td_run *runs = calloc(count, sizeof *runs);
    td_result *results = calloc(count, sizeof *results);
    double factor = 1.0; /* of all the same: they have one storage */
    td_status status = TD_NO_MEMORY;
    if (runs != NULL && results != NULL) {
        for (size_t i = 0; i < count; i++) {
            runs[i] = shorten(trials[i]->run, protocol->samples, &factor);
            runs[i].problem.n = n > 0 ? n : runs[i].problem.n;
        }
        const td_group group = {runs, count};
        status = t->tuner->measure(t->tuner->context, &group, protocol, results, t->error);
        for (size_t i = 0; i < count; i++) {
            for (uint32_t s = 0; s < results[i].sample_count; s++) {
                results[i].sample_ms[s] *= factor;
            }
        }
        if (n > 0) {
            note_times(t, trials, results, count);
        } else {
            const td_status told = tell_all(t, trials, results, count);
            status = status != TD_OK ? status : told;
        }
    } else {
        td_fail(t->error, status, "not enough memory for a group of trials");
    }
    free(results);
    free(runs);
    return status;
}

/* The runs of a group share one input and one output, so they need the same storage. */
static bool belong_together(const td_trial *a, const td_trial *b)
{
    return a->run->workload == b->run->workload;
}

/* Behind each trial the others of its storage, so that they are one group. */
static void bring_together(td_trial **trials, size_t count)
{
    for (size_t placed = 1; placed < count; placed++) {
        size_t next = placed;
        while (next < count && !belong_together(trials[placed - 1], trials[next])) {
            next++;
        }
        if (next < count) {
            td_trial *const found = trials[next];
            memmove(&trials[placed + 1], &trials[placed], (next - placed) * sizeof *trials);
            trials[placed] = found;
        }
    }
}

/* Measure the first `count` trials of t->open, group by group; at a smaller N where n is one. */
static td_status measure_all(const tune *t, size_t count, uint32_t n, const td_protocol *protocol)
{
    td_trial **trials = t->open;
    bring_together(trials, count);
    for (size_t first = 0, end = 0; first < count && !t->tuner->stopped(t->tuner->context);
         first = end) {
        while (end < count && end - first < GROUP_RUNS &&
               belong_together(trials[first], trials[end])) {
            end++;
        }
        TRY(measure(t, trials + first, end - first, n, protocol));
    }
    return TD_OK;
}

/* ---- short trials ---- */

static td_trial *add_trial(td_tuning *tuning, const td_run *run, td_stage stage)
{
    td_trial *trial = &tuning->trials[tuning->count++];
    *trial = (td_trial){.run = run, .stage = stage, .status = TD_RUN_INTERRUPTED, .median_ms = NAN};
    return trial;
}

/* The fastest first; of equals the first that was tried. */
static int by_time(const void *a, const void *b)
{
    const td_trial *x = *(td_trial *const *)a, *y = *(td_trial *const *)b;
    const int order = (x->median_ms > y->median_ms) - (x->median_ms < y->median_ms);
    return order != 0 ? order : (x > y) - (x < y);
}

/* Of the first `count` of the list those that were measured, the fastest first; returns how many. */
static size_t rank(const tune *t, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (t->list[i]->status == TD_RUN_OK && isfinite(t->list[i]->median_ms)) {
            t->list[kept++] = t->list[i];
        }
    }
    qsort(t->list, kept, sizeof *t->list, by_time);
    return kept;
}

/*
 * How many of the ranked go on: half of them, and fewer where that many are far behind. One sample of a busy machine
 * may be off by half, the median of several by less.
 */
static size_t still_in(const tune *t, size_t count, uint32_t samples)
{
    const double limit_ms = t->list[0]->median_ms * (1.0 + 0.5 / samples);
    size_t kept = (count + 1) / 2;
    while (kept > TD_FINALISTS && t->list[kept - 1]->median_ms > limit_ms) {
        kept--;
    }
    return kept > TD_FINALISTS ? kept : TD_FINALISTS;
}

static td_protocol short_protocol(const tune *t, uint32_t samples, bool verify)
{
    td_protocol brief = *t->tuner->protocol;
    brief.samples = samples < brief.samples ? samples : brief.samples;
    brief.max_time_s = fmin(brief.max_time_s, short_time_s);
    brief.warmup = 0;
    brief.brief = samples == 1;
    brief.precision = 0.0;
    brief.verify = brief.verify && verify;
    return brief;
}

/* ---- a quarter of N: who is hopeless ---- */

/* 0: N is too small, or comes with an input that has its size. */
static uint32_t smaller_n(const td_run *run)
{
    const td_problem *p = &run->problem;
    const bool is_large = run->workload->dimension == 2 && p->n / OF_N >= LEAST_TO_SCREEN;
    const bool is_steady = run->engine->can.device_memory; /* on a host anything may come between */
    return is_large && is_steady && !td_problem_is_given(p) && run->ranks == 0 ? p->n / OF_N : 0;
}

static double least_of(const double *ms, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, ms[i]); /* of a NaN the other */
    }
    return least;
}

static td_status drop(const tune *t, td_trial *trial, uint32_t n, double times)
{
    td_result result = {.status = TD_RUN_SKIPPED};
    snprintf(result.reason, sizeof result.reason,
             "at N = %u it takes %.1f times as long as the fastest", n, times);
    settle(trial, &result);
    return t->tuner->tell(t->tuner->context, trial, &result, t->error);
}

/*
 * Leave those of the list that are not hopeless. One that is wrong or fails has its trial, which says why; one that an
 * earlier invocation tried is measured as well, for the others to be compared with.
 */
static td_status screen(const tune *t, size_t *count)
{
    const uint32_t n = smaller_n(t->tuning->space->runs);
    const td_protocol once = short_protocol(t, 1, true);
    size_t kept = 0;
    if (n == 0) {
        return TD_OK;
    }
    for (size_t i = 0; i < *count; i++) {
        t->open[i] = t->list[i];
        t->small_ms[i] = NAN;
    }
    TRY(measure_all(t, *count, n, &once));
    const double least_ms = least_of(t->small_ms, *count);
    for (size_t i = 0; i < *count && !t->tuner->stopped(t->tuner->context); i++) {
        td_trial *trial = t->list[i];
        const double times = t->small_ms[i] / least_ms;
        if (trial->samples == 0 && times > hopeless) {
            TRY(drop(t, trial, n, times));
        } else {
            t->list[kept++] = trial;
        }
    }
    *count = kept;
    return TD_OK;
}

/* Those of the list that have fewer samples get so many; what an earlier round verified is right. */
static td_status measure_round(const tune *t, size_t count, uint32_t samples)
{
    const td_protocol brief = short_protocol(t, samples, samples == 1);
    size_t open = 0;
    for (size_t i = 0; i < count; i++) {
        if (t->list[i]->samples < brief.samples) {
            t->open[open++] = t->list[i];
        }
    }
    if (samples > 1) {
        t->tuner->expect(t->tuner->context, t->open, open);
    }
    return measure_all(t, open, 0, &brief);
}

/* Half of the candidates go as often as samples double, down to the finalists, which lead the list. */
static td_status halve(const tune *t, size_t *finalists)
{
    size_t count = t->tuning->space->count;
    for (size_t r = 0; r < count; r++) {
        t->list[r] = add_trial(t->tuning, &t->tuning->space->runs[r], TD_STAGE_SHORT);
        t->tuner->recall(t->tuner->context, t->list[r]);
    }
    TRY(screen(t, &count));
    if (t->tuner->stopped(t->tuner->context)) {
        return TD_OK;
    }
    for (uint32_t samples = 1; samples == 1 || count > TD_FINALISTS; samples *= 2) {
        TRY(measure_round(t, count, samples));
        if (t->tuner->stopped(t->tuner->context)) {
            return TD_OK;
        }
        count = rank(t, count);
        count = count > TD_FINALISTS ? still_in(t, count, samples) : count;
    }
    *finalists = count;
    return TD_OK;
}

/* ---- full trials, of the finalists ---- */

static td_status measure_fully(const tune *t, size_t finalists)
{
    const td_run *best = finalists > 0 ? t->list[0]->run : NULL;
    if (finalists > 1) {
        for (size_t i = 0; i < finalists; i++) {
            t->list[i] = add_trial(t->tuning, t->list[i]->run, TD_STAGE_FULL);
            t->open[i] = t->list[i];
        }
        t->tuner->expect(t->tuner->context, t->open, finalists);
        TRY(measure_all(t, finalists, 0, t->tuner->protocol));
        best = rank(t, finalists) > 0 ? t->list[0]->run : NULL;
    }
    t->tuning->winner = t->tuner->stopped(t->tuner->context) ? NULL : best;
    return TD_OK;
}

td_status td_tune(const td_tuner *tuner, const td_group *space, td_tuning *tuning, td_error *error)
{
    const size_t most = space->count + TD_FINALISTS;
    size_t finalists = 0;
    *tuning = (td_tuning){.space = space, .trials = calloc(most, sizeof *tuning->trials)};
    const tune t = {tuner,
                    tuning,
                    calloc(most, sizeof(td_trial *)),
                    calloc(most, sizeof(td_trial *)),
                    calloc(most, sizeof(double)),
                    error};
    if (tuning->trials == NULL || t.list == NULL || t.open == NULL || t.small_ms == NULL) {
        free(t.small_ms);
        free(t.open);
        free(t.list);
        return td_fail(error, TD_NO_MEMORY, "not enough memory for a search");
    }
    td_status status = halve(&t, &finalists);
    if (status == TD_OK && !tuner->stopped(tuner->context)) {
        status = measure_fully(&t, finalists);
    }
    free(t.small_ms);
    free(t.open);
    free(t.list);
    return status;
}

void td_tuning_free(td_tuning *tuning)
{
    free(tuning->trials);
    *tuning = (td_tuning){.count = 0};
}
