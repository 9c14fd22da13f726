#include "trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/signals.h"
#include "engine/core/stats.h"
#include "engine/needs/execution.h"

/* The runs of a group share buffers and input, which take longer to set up than a short trial. A crash costs the
 * whole group. */
enum { GROUP_RUNS = 128 };

/* The launches of an automaton all take equally long, so a trial makes only a few per sample: at most most_launches,
 * or enough_ms of them, which is enough for caches and clocks to settle. */
static const double launches_per_sample = 2.0, most_launches = 16.0, enough_ms = 8.0;

/* The limits on the sampling time of a short trial, which takes at least one sample anyway, and of all full trials
 * together on a steady machine. The winner is measured as the user asked. */
static const double trial_s = 0.25, full_trials_s = 1.25;

/* ---- protocols ---- */

bool td_search_is_steady(const td_search *t)
{
    return t->tuning->space->runs[0].engine->can.device_memory;
}

/* As the user asked, but energy and set-ups are for the winner only. */
static td_protocol plain_protocol(const td_search *t)
{
    td_protocol plain = t->drive->options->protocol;
    plain.energy = false;
    return plain;
}

td_protocol td_trial_protocol(const td_search *t, uint32_t samples, bool verify)
{
    td_protocol brief = plain_protocol(t);
    brief.samples = samples < brief.samples ? samples : brief.samples;
    brief.max_time_s = fmin(brief.max_time_s, trial_s);
    brief.warmup = 0;
    brief.brief = samples == 1;
    brief.precision = 0.0;
    brief.verify = brief.verify && verify;
    return brief;
}

/* Trials run back to back, so the device is already warm. */
td_protocol td_trial_full_protocol(const td_search *t, size_t finalists)
{
    td_protocol full = plain_protocol(t);
    if (td_search_is_steady(t)) {
        full.max_time_s = fmin(full.max_time_s, full_trials_s / (double)finalists);
        full.warmup = 0;
    }
    return full;
}

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
    if (result->verified != TD_VERIFIED_NONE) { /* else an earlier round verified it */
        trial->verified = result->verified;
    }
    trial->median_ms = median_of(result);
    memcpy(trial->reason, result->reason, sizeof trial->reason);
    if (trial->status == TD_RUN_FAILED && trial->reason[0] == '\0') {
        snprintf(trial->reason, sizeof trial->reason, "the output differs from the reference");
    }
}

/* A wrong result sets the exit status even if the run would not have won. A run that does not fit is not a failure. */
td_status td_trial_end(const td_search *t, td_trial *trial, const td_result *result)
{
    td_sweep_drive *d = t->drive;
    settle(trial, result);
    if (trial->status == TD_RUN_INTERRUPTED) {
        return TD_OK;
    }
    if (result->error == TD_WRONG) {
        td_drive_note_worst(d, TD_WRONG);
    }
    if (d->trial_error == TD_OK) {
        d->trial_error = result->error;
    }
    td_progress_result(&d->progress, trial->run, result);
    td_progress_writing(&d->progress);
    return td_report_trial(d->report, trial, t->error);
}

static td_status end_all(const td_search *t, td_trial *const *trials, td_result *results,
                         size_t count)
{
    td_status status = TD_OK;
    for (size_t i = 0; i < count; i++) {
        status = status == TD_OK ? td_trial_end(t, trials[i], &results[i]) : status;
        free(results[i].sample_ms);
    }
    return status;
}

/* One launch for the first sample, which is enough to drop the slow runs; later their number grows with the samples. */
static uint32_t launches_for(uint32_t samples, double launch_ms)
{
    const double most = fmin(most_launches, ceil(enough_ms / launch_ms));
    return samples == 1 ? 1 : (uint32_t)fmin(fmax(most, 2.0), launches_per_sample * samples);
}

/* The same run with fewer launches; *factor: how many times longer the whole run takes. */
static td_run shorten(const td_search *t, const td_run *run, uint32_t samples, double *factor)
{
    td_run brief = *run;
    const uint32_t launches = td_run_launches(run);
    const uint32_t few = launches_for(samples, t->fastest_ms / launches);
    *factor = 1.0;
    if (launches > few) {
        const uint32_t each = td_launch_generations(run->engine, run->workload);
        td_workload_set_steps(run->workload, &brief.problem, few * each);
        *factor = (double)launches / few;
    }
    return brief;
}

/* Note the times at a smaller N, which are not results of the trials; NaN for those that failed. */
static void note_times(const td_search *t, td_trial *const *trials, td_result *results,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        t->small_ms[trials[i] - t->tuning->trials] = median_of(&results[i]);
        free(results[i].sample_ms);
    }
}

/* Measure some trials as one group, at N = n if n > 0. */
static td_status measure(const td_search *t, td_trial *const *trials, size_t count, uint32_t n,
                         const td_protocol *protocol)
{
    td_run *runs = calloc(count, sizeof *runs);
    td_result *results = calloc(count, sizeof *results);
    double factor = 1.0; /* the same for all, which share one storage */
    td_status status = TD_NO_MEMORY;
    if (runs != NULL && results != NULL) {
        for (size_t i = 0; i < count; i++) {
            runs[i] = shorten(t, trials[i]->run, protocol->samples, &factor);
            runs[i].problem.n = n > 0 ? n : runs[i].problem.n;
        }
        const td_group group = {runs, count};
        td_worker_set_protocol(t->drive->worker, protocol);
        status = td_worker_group(t->drive->worker, &group, results, t->error);
        for (size_t i = 0; i < count; i++) {
            for (uint32_t s = 0; s < results[i].sample_count; s++) {
                results[i].sample_ms[s] *= factor;
            }
        }
        if (n > 0) {
            note_times(t, trials, results, count);
        } else {
            const td_status told = end_all(t, trials, results, count);
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

/* Reorder the trials so that those with the same storage follow each other and form one group. */
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

td_status td_trials_measure(const td_search *t, size_t count, uint32_t n,
                            const td_protocol *protocol)
{
    td_trial **trials = t->open;
    bring_together(trials, count);
    for (size_t first = 0, end = 0; first < count && td_signals_stop() == 0; first = end) {
        while (end < count && end - first < GROUP_RUNS &&
               belong_together(trials[first], trials[end])) {
            end++;
        }
        TRY(measure(t, trials + first, end - first, n, protocol));
    }
    return TD_OK;
}
