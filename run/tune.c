#include "tune.h"

#include <math.h>
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/core/signals.h"
#include "screen.h"

static size_t most_finalists(const td_search *t)
{
    return td_search_is_steady(t) ? TD_FINALISTS : TD_FINALISTS_ON_HOST;
}

/* ---- short trials ---- */

static td_trial *add_trial(td_tuning *tuning, const td_run *run, td_stage stage)
{
    td_trial *trial = &tuning->trials[tuning->count++];
    *trial = (td_trial){.run = run, .stage = stage, .status = TD_RUN_INTERRUPTED, .median_ms = NAN};
    return trial;
}

/* Fastest first; of equals, the one tried first. */
static int by_time(const void *a, const void *b)
{
    const td_trial *x = *(td_trial *const *)a, *y = *(td_trial *const *)b;
    const int order = (x->median_ms > y->median_ms) - (x->median_ms < y->median_ms);
    return order != 0 ? order : (x > y) - (x < y);
}

/* Keep those of the first `count` of the list that were measured, fastest first; returns how many. */
static size_t rank(td_search *t, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (t->list[i]->status == TD_RUN_OK && isfinite(t->list[i]->median_ms)) {
            t->list[kept++] = t->list[i];
        }
    }
    qsort(t->list, kept, sizeof *t->list, by_time);
    t->fastest_ms = kept > 0 ? t->list[0]->median_ms : 0.0;
    return kept;
}

/*
 * How many of the ranked trials stay in: half of them, or fewer if some of that half are far behind. One sample on a
 * busy machine may be off by half, the median of several by less.
 */
static size_t still_in(const td_search *t, size_t count, uint32_t samples)
{
    const double limit_ms = t->list[0]->median_ms * (1.0 + 0.5 / samples);
    const size_t finalists = most_finalists(t);
    size_t kept = (count + 1) / 2;
    while (kept > finalists && t->list[kept - 1]->median_ms > limit_ms) {
        kept--;
    }
    return kept > finalists ? kept : finalists;
}

/* Measure the first `count` of t->open, beside the one trial per run that the progress expects anyway. */
static td_status measure_again(const td_search *t, size_t count, const td_protocol *protocol)
{
    for (size_t i = 0; i < count; i++) {
        td_progress_expect(&t->drive->progress, t->open[i]->run);
    }
    return td_trials_measure(t, count, 0, protocol);
}

/* Measure the trials of the list that have fewer samples. They need no verification: the first sample had it. */
static td_status measure_round(const td_search *t, size_t count, uint32_t samples)
{
    const td_protocol brief = td_trial_protocol(t, samples, false);
    size_t open = 0;
    for (size_t i = 0; i < count; i++) {
        if (t->list[i]->samples < brief.samples) {
            t->open[open++] = t->list[i];
        }
    }
    return measure_again(t, open, &brief);
}

/* Drop half of the candidates each time the samples double, until only the finalists lead the list. */
static td_status halve(td_search *t, size_t *finalists)
{
    const size_t most = most_finalists(t);
    size_t count = t->tuning->space->count;
    for (size_t r = 0; r < count; r++) {
        t->small_ms[r] = NAN;
        t->list[r] = add_trial(t->tuning, &t->tuning->space->runs[r], TD_STAGE_SHORT);
        (void)td_done_trial(t->drive->done, t->list[r]);
    }
    TRY(td_screen(t, &count));
    if (td_signals_stop() != 0) {
        return TD_OK;
    }
    for (uint32_t samples = 1; samples == 1 || count > most; samples *= 2) {
        TRY(samples == 1 ? td_screen_first(t, &count) : measure_round(t, count, samples));
        if (td_signals_stop() != 0) {
            return TD_OK;
        }
        count = rank(t, count);
        count = count > most ? still_in(t, count, samples) : count;
    }
    *finalists = count;
    return TD_OK;
}

/* ---- full trials, of the finalists ---- */

static td_status measure_fully(td_search *t, size_t finalists)
{
    const td_run *best = finalists > 0 ? t->list[0]->run : NULL;
    if (finalists > 1) {
        const td_protocol full = td_trial_full_protocol(t, finalists);
        for (size_t i = 0; i < finalists; i++) {
            t->list[i] = add_trial(t->tuning, t->list[i]->run, TD_STAGE_FULL);
            t->open[i] = t->list[i];
        }
        TRY(measure_again(t, finalists, &full));
        best = rank(t, finalists) > 0 ? t->list[0]->run : NULL;
    }
    t->tuning->winner = td_signals_stop() != 0 ? NULL : best;
    return TD_OK;
}

td_status td_tune(td_sweep_drive *drive, const td_group *space, td_tuning *tuning, td_error *error)
{
    const size_t most = space->count + TD_FINALISTS;
    size_t finalists = 0;
    *tuning = (td_tuning){.space = space, .trials = calloc(most, sizeof *tuning->trials)};
    td_search t = {drive,
                   tuning,
                   calloc(most, sizeof(td_trial *)),
                   calloc(most, sizeof(td_trial *)),
                   calloc(most, sizeof(double)),
                   0.0,
                   error};
    const bool ready =
        tuning->trials != NULL && t.list != NULL && t.open != NULL && t.small_ms != NULL;
    td_status status = ready ? halve(&t, &finalists)
                             : td_fail(error, TD_NO_MEMORY, "not enough memory for a search");
    if (status == TD_OK && td_signals_stop() == 0) {
        status = measure_fully(&t, finalists);
        td_screen_remember(&t);
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
