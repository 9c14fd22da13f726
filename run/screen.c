#include "screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/signals.h"

/* Where N is so large that a quarter of it says which runs are hopeless, those need no trial. Smaller domains have too
 * few of the largest tiles for all processors of a GPU, and would be wrong about them. */
enum { LEAST_TO_SCREEN = 6144, OF_N = 4 };

/* On smaller domains launches may count for more than blocks, and another map says nothing. */
enum { LEAST_TO_RECALL = 6144 };

/*
 * How many times as long as the fastest a hopeless run takes. A map wastes at most half of its blocks, which is a
 * factor of two between maps; the rest is for single samples and for launching.
 */
static const double hopeless = 2.5;

/* 0: N is too small, or comes with an input that has its size. */
static uint32_t smaller_n(const td_run *run)
{
    const td_problem *p = &run->problem;
    const bool is_large = run->workload->dimension == 2 && p->n / OF_N >= LEAST_TO_SCREEN;
    return is_large && !td_problem_is_given(p) && run->parts == 0 ? p->n / OF_N : 0;
}

static bool may_foresee(const td_search *t)
{
    return td_search_is_steady(t) && !t->drive->options->exhaustive;
}

/* Times that tell which runs of a space are hopeless. */
typedef struct known {
    const td_group *space;
    const double *ms; /* per run; NULL: the times of its trials. NaN: it failed, or was not tried */
    const td_trial *trials; /* NULL: the times are from another search */
    const char *where;      /* in the reason for leaving a run out */
    bool grids;             /* leave out grids, too */
} known;

/* The times of this search; n: those at this smaller N; 0: those of its trials. */
static known known_here(const td_search *t, uint32_t n)
{
    return (known){
        .space = t->tuning->space, .ms = n > 0 ? t->small_ms : NULL, .trials = t->tuning->trials};
}

static double ms_of(const known *k, size_t run)
{
    return k->ms != NULL ? k->ms[run] : k->trials[run].median_ms;
}

static double least_ms(const known *k)
{
    double least = INFINITY;
    for (size_t r = 0; r < k->space->count; r++) {
        least = fmin(least, ms_of(k, r)); /* of a NaN the other */
    }
    return least;
}

static td_status drop(const td_search *t, td_trial *trial, const char *where, uint32_t n,
                      double times)
{
    td_result result = {.status = TD_RUN_SKIPPED};
    snprintf(result.reason, sizeof result.reason,
             "%sat N = %u it takes %.1f times as long as the fastest", where,
             n > 0 ? n : trial->run->problem.n, times);
    return td_trial_end(t, trial, &result);
}

/* The place in a space of the run with the same kernel, block and tile and this schedule; its count: it has none. */
static size_t find(const td_group *space, const td_run *run, td_schedule schedule)
{
    for (size_t r = 0; r < space->count; r++) {
        const td_run *other = &space->runs[r];
        if (other->schedule == schedule && other->workload == run->workload &&
            other->tile == run->tile && other->tiled == run->tiled &&
            memcmp(&other->block, &run->block, sizeof run->block) == 0) {
            return r;
        }
    }
    return space->count;
}

/* How long a trial will take: as its grid, where it was not tried or left out for that. NaN: not known. */
static double foreseen_ms(const known *k, const td_trial *trial)
{
    const td_run *run = trial->run;
    size_t r = k->trials != NULL ? (size_t)(trial - k->trials) : find(k->space, run, run->schedule);
    if (r < k->space->count && isnan(ms_of(k, r))) {
        r = find(k->space, run, TD_SCHEDULE_GRID);
    }
    return r < k->space->count ? ms_of(k, r) : NAN;
}

/* Leave out of the list what is foreseen to be hopeless before its first sample. */
static td_status drop_foreseen(const td_search *t, size_t *count, uint32_t n, const known *k)
{
    const double least = least_ms(k);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        td_trial *trial = t->list[i];
        const bool open =
            trial->samples == 0 && (k->grids || trial->run->schedule != TD_SCHEDULE_GRID);
        const double times = open ? foreseen_ms(k, trial) / least : NAN;
        if (times > hopeless) {
            TRY(drop(t, trial, k->where, n, times));
        } else {
            t->list[kept++] = trial;
        }
    }
    *count = kept;
    return TD_OK;
}

/* ---- what an earlier search knows ---- */

static bool is_about(const td_earlier *earlier, const td_run *run)
{
    const td_run *other = earlier->space != NULL ? earlier->space->runs : NULL;
    return other != NULL && other->engine == run->engine && other->problem.n == run->problem.n &&
           strcmp(other->workload->name, run->workload->name) == 0;
}

static td_status drop_known(const td_search *t, size_t *count, uint32_t n)
{
    const td_run *run = t->tuning->space->runs;
    const td_earlier *earlier = &t->drive->earlier;
    char where[64];
    if (!is_about(earlier, run) || run->problem.n < LEAST_TO_RECALL) {
        return TD_OK;
    }
    snprintf(where, sizeof where, "under %s, ", earlier->space->runs->strategy->name);
    const known there = {.space = earlier->space,
                         .ms = n > 0 ? earlier->small_ms : earlier->ms,
                         .where = where,
                         .grids = true};
    return drop_foreseen(t, count, n, &there);
}

void td_earlier_forget(td_earlier *earlier)
{
    free(earlier->ms);
    free(earlier->small_ms);
    *earlier = (td_earlier){NULL, NULL, NULL};
}

/* The first map that is tried says most: others leave out what it knows. */
void td_screen_remember(td_search *t)
{
    const size_t count = t->tuning->space->count;
    td_earlier *earlier = &t->drive->earlier;
    double *ms = is_about(earlier, t->tuning->space->runs) ? NULL : calloc(count, sizeof *ms);
    if (ms == NULL) {
        return;
    }
    for (size_t r = 0; r < count; r++) {
        ms[r] = t->tuning->trials[r].median_ms;
    }
    td_earlier_forget(earlier);
    *earlier = (td_earlier){t->tuning->space, ms, t->small_ms};
    t->small_ms = NULL;
}

/* ---- one sample of each ---- */

/* Open the grids of the list, or the other runs, if they have no sample yet; none has one at a smaller N. */
static size_t open_some(const td_search *t, size_t count, uint32_t n, bool grids)
{
    size_t open = 0;
    for (size_t i = 0; i < count; i++) {
        td_trial *trial = t->list[i];
        const bool is_grid = trial->run->schedule == TD_SCHEDULE_GRID;
        if (is_grid == grids && (n > 0 || trial->samples == 0)) {
            t->open[open++] = trial;
        }
    }
    return open;
}

static td_status measure_once(const td_search *t, size_t *count, uint32_t n)
{
    const td_protocol once = td_trial_protocol(t, 1, true);
    const bool may_drop = may_foresee(t);
    TRY(may_drop ? drop_known(t, count, n) : TD_OK);
    TRY(td_trials_measure(t, open_some(t, *count, n, true), n, &once));
    if (may_drop && td_signals_stop() == 0) {
        known as_grid = known_here(t, n); /* blocks that stay save launching, never half the time */
        as_grid.where = "as a grid, ";
        TRY(drop_foreseen(t, count, n, &as_grid));
    }
    return td_trials_measure(t, open_some(t, *count, n, false), n, &once);
}

td_status td_screen_first(const td_search *t, size_t *count)
{
    return measure_once(t, count, 0);
}

td_status td_screen(const td_search *t, size_t *count)
{
    const uint32_t n = smaller_n(t->tuning->space->runs);
    if (n == 0 || !may_foresee(t)) {
        return TD_OK;
    }
    TRY(measure_once(t, count, n));
    if (td_signals_stop() != 0) {
        return TD_OK;
    }
    known small = known_here(t, n);
    small.where = "";
    small.grids = true;
    return drop_foreseen(t, count, n, &small);
}
