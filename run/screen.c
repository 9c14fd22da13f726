#include "screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"

/* Where N is so large that a quarter of it says which runs are hopeless, those need no trial. Smaller domains have too
 * few of the largest tiles for all processors of a GPU, and would be wrong about them. */
enum { LEAST_TO_SCREEN = 6144, OF_N = 4 };
static const double hopeless = 2.0; /* times as long as the fastest */

/* A map wastes half of its blocks at most, so that its fastest run takes no more than twice as long as another map's.
 * On smaller domains launches may count for more than blocks. */
enum { LEAST_TO_RECALL = 6144 };
static const double hopeless_elsewhere = 2.2;

/* 0: N is too small, or comes with an input that has its size. */
static uint32_t smaller_n(const td_run *run)
{
    const td_problem *p = &run->problem;
    const bool is_large = run->workload->dimension == 2 && p->n / OF_N >= LEAST_TO_SCREEN;
    return is_large && !td_problem_is_given(p) && run->ranks == 0 ? p->n / OF_N : 0;
}

static bool may_foresee(const td_search *t)
{
    return td_search_is_steady(t) && !t->tuner->exhaustive;
}

/* What one sample said, at a smaller N where n is one; NaN: it failed, or there was none. */
static double first_ms(const td_search *t, const td_trial *trial, uint32_t n)
{
    return n > 0 ? t->small_ms[trial - t->tuning->trials] : trial->median_ms;
}

static double least_ms(const td_search *t, uint32_t n)
{
    double least = INFINITY;
    for (size_t i = 0; i < t->tuning->space->count; i++) {
        least = fmin(least, first_ms(t, &t->tuning->trials[i], n)); /* of a NaN the other */
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
    td_trial_settle(trial, &result);
    return t->tuner->tell(t->tuner->context, trial, &result, t->error);
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

/* What says before its first sample how long a trial will take, in times of the fastest; NaN: nothing does. */
typedef double foresee_fn(const td_search *t, const td_run *run, uint32_t n);

static double as_grid(const td_search *t, const td_run *run, uint32_t n)
{
    const td_group *space = t->tuning->space;
    const size_t r =
        run->schedule != TD_SCHEDULE_GRID ? find(space, run, TD_SCHEDULE_GRID) : space->count;
    return r < space->count ? first_ms(t, &t->tuning->trials[r], n) / least_ms(t, n) : NAN;
}

/* What was left out under the other map, too, for its grid was hopeless, is so here. */
static double elsewhere(const td_search *t, const td_run *run, uint32_t n)
{
    const td_earlier *earlier = t->tuner->earlier;
    const double *ms = n > 0 ? earlier->small_ms : earlier->ms;
    double least = INFINITY;
    for (size_t r = 0; r < earlier->space->count; r++) {
        least = fmin(least, ms[r]);
    }
    size_t r = find(earlier->space, run, run->schedule);
    if (r < earlier->space->count && isnan(ms[r])) {
        r = find(earlier->space, run, TD_SCHEDULE_GRID);
    }
    return r < earlier->space->count ? ms[r] / least : NAN;
}

/* Leave out of the list what is foreseen to be hopeless. */
static td_status drop_foreseen(const td_search *t, size_t *count, uint32_t n, const char *where,
                               foresee_fn *foresee, double limit)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        td_trial *trial = t->list[i];
        const double times = trial->samples == 0 ? foresee(t, trial->run, n) : NAN;
        if (times > limit) {
            TRY(drop(t, trial, where, n, times));
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
    char where[64];
    if (!is_about(t->tuner->earlier, run) || run->problem.n < LEAST_TO_RECALL) {
        return TD_OK;
    }
    snprintf(where, sizeof where, "under %s, ", t->tuner->earlier->space->runs->strategy->name);
    return drop_foreseen(t, count, n, where, elsewhere, hopeless_elsewhere);
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
    td_earlier *earlier = t->tuner->earlier;
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

/* Open those of the list without a sample that are grids, or the others; at a smaller N nobody has one. */
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
    if (may_drop &&
        !t->tuner->stopped(
            t->tuner->context)) { /* blocks that stay save launching, never half the time */
        TRY(drop_foreseen(t, count, n, "as a grid, ", as_grid, hopeless));
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
    size_t kept = 0;
    if (n == 0 || !may_foresee(t)) {
        return TD_OK;
    }
    TRY(measure_once(t, count, n));
    const double least = least_ms(t, n);
    for (size_t i = 0; i < *count && !t->tuner->stopped(t->tuner->context); i++) {
        td_trial *trial = t->list[i];
        const double times = first_ms(t, trial, n) / least;
        if (trial->samples == 0 && times > hopeless) {
            TRY(drop(t, trial, "", n, times));
        } else {
            t->list[kept++] = trial;
        }
    }
    *count = kept;
    return TD_OK;
}
