#include "tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/stats.h"

/* Runs of a group share buffers and input, which take longer to make than a short run; a crash costs the group. */
enum { GROUP_RUNS = 32, SHORT_SAMPLES = 5 };

/* A short trial samples no longer than this, but takes one sample at least. */
static const double short_time_s = 0.25;

typedef struct tune {
    const td_tuner *tuner;
    td_tuning *tuning;
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
    trial->verified = result->verified;
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

/* Measure some trials as one group. */
static td_status measure(const tune *t, td_trial *const *trials, size_t count,
                         const td_protocol *protocol)
{
    td_run *runs = calloc(count, sizeof *runs);
    td_result *results = calloc(count, sizeof *results);
    td_status status = TD_NO_MEMORY;
    if (runs != NULL && results != NULL) {
        for (size_t i = 0; i < count; i++) {
            runs[i] = *trials[i]->run;
        }
        const td_group group = {runs, count};
        status = t->tuner->measure(t->tuner->context, &group, protocol, results, t->error);
        const td_status told = tell_all(t, trials, results, count);
        status = status != TD_OK ? status : told;
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

/* Measure all trials of a list that are still to be measured, group by group. */
static td_status measure_all(const tune *t, td_trial **trials, size_t count,
                             const td_protocol *protocol)
{
    for (size_t first = 0, end = 0; first < count && !t->tuner->stopped(t->tuner->context);
         first = end) {
        while (end < count && end - first < GROUP_RUNS &&
               belong_together(trials[first], trials[end])) {
            end++;
        }
        TRY(measure(t, trials + first, end - first, protocol));
    }
    return TD_OK;
}

/* ---- the two stages ---- */

static td_trial *add_trial(td_tuning *tuning, const td_run *run, td_stage stage)
{
    td_trial *trial = &tuning->trials[tuning->count++];
    *trial = (td_trial){.run = run, .stage = stage, .status = TD_RUN_INTERRUPTED, .median_ms = NAN};
    return trial;
}

static td_status measure_briefly(const tune *t, td_trial **open)
{
    size_t count = 0;
    td_protocol brief = *t->tuner->protocol;
    brief.samples = brief.samples < SHORT_SAMPLES ? brief.samples : SHORT_SAMPLES;
    brief.max_time_s = fmin(brief.max_time_s, short_time_s);
    brief.warmup = 0;
    for (size_t r = 0; r < t->tuning->space->count; r++) {
        td_trial *trial = add_trial(t->tuning, &t->tuning->space->runs[r], TD_STAGE_SHORT);
        if (!t->tuner->recall(t->tuner->context, trial)) {
            open[count++] = trial;
        }
    }
    return measure_all(t, open, count, &brief);
}

/* The fastest first; of equals the first that was tried. */
static int by_time(const void *a, const void *b)
{
    const td_trial *x = *(td_trial *const *)a, *y = *(td_trial *const *)b;
    const int order = (x->median_ms > y->median_ms) - (x->median_ms < y->median_ms);
    return order != 0 ? order : (x > y) - (x < y);
}

/* The measured trials from `first` on, the fastest first; returns how many. */
static size_t rank(const td_tuning *tuning, size_t first, td_trial **ranked)
{
    size_t count = 0;
    for (size_t i = first; i < tuning->count; i++) {
        if (tuning->trials[i].status == TD_RUN_OK && isfinite(tuning->trials[i].median_ms)) {
            ranked[count++] = &tuning->trials[i];
        }
    }
    qsort(ranked, count, sizeof(td_trial *), by_time);
    return count;
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

static td_status measure_fully(const tune *t, td_trial **ranked)
{
    const size_t tried = t->tuning->count;
    size_t finalists = rank(t->tuning, 0, ranked);
    finalists = finalists < TD_FINALISTS ? finalists : TD_FINALISTS;
    const td_run *best = finalists > 0 ? ranked[0]->run : NULL;
    for (size_t i = 0; i < finalists; i++) {
        ranked[i] = add_trial(t->tuning, ranked[i]->run, TD_STAGE_FULL);
    }
    if (finalists > 1) {
        bring_together(ranked, finalists);
        TRY(measure_all(t, ranked, finalists, t->tuner->protocol));
        best = rank(t->tuning, tried, ranked) > 0 ? ranked[0]->run : NULL;
    } else {
        t->tuning->count = tried; /* nothing to decide */
    }
    t->tuning->winner = t->tuner->stopped(t->tuner->context) ? NULL : best;
    return TD_OK;
}

td_status td_tune(const td_tuner *tuner, const td_group *space, td_tuning *tuning, td_error *error)
{
    const tune t = {tuner, tuning, error};
    td_trial *trials = calloc(space->count + TD_FINALISTS, sizeof *trials);
    td_trial **list = calloc(space->count + TD_FINALISTS, sizeof(td_trial *));
    *tuning = (td_tuning){.space = space, .trials = trials};
    if (trials == NULL || list == NULL) {
        free(list);
        return td_fail(error, TD_NO_MEMORY, "not enough memory for a search");
    }
    td_status status = measure_briefly(&t, list);
    if (status == TD_OK && !tuner->stopped(tuner->context)) {
        status = measure_fully(&t, list);
    }
    free(list);
    return status;
}

void td_tuning_free(td_tuning *tuning)
{
    free(tuning->trials);
    *tuning = (td_tuning){.count = 0};
}
