#include "race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/prepare/execution.h"
#include "session.h"

/* Runs of one storage share buffers and input, which take longer to set up than a sample. */
enum { BATCH = 128 };

/* The most runs that are measured as the protocol asks. */
enum { FINALISTS = 5 };

/* A run is hopeless if another map, or its grid, took this many times as long as the fastest: a map changes the order
 * of blocks and not what a block does, a schedule who computes a tile and not how. The rest is for single samples. */
static const double hopeless = 1.6;

/* How many times as long as under another map the first run of a hopeless map takes. */
static const double hopeless_map = 10.0;

/* On domains with fewer cells launches may count for more than blocks, and another map says nothing. */
static const double least_cells = 1 << 24;

/* The launches of an automaton all take equally long, so a sample makes only a few: at most most_launches, or
 * enough_ms of them, which is enough for caches and clocks to settle. */
static const double launches_per_sample = 2.0, most_launches = 16.0, enough_ms = 8.0;

/* The limit on the sampling time of a run in a round, which takes at least one sample anyway. */
static const double round_s = 0.25;

typedef struct race {
    td_engine *engine;
    const td_protocol *protocol;
    const td_group *group;
    const td_observer *observer;
    const td_races *races;
    td_result *results;
    size_t *list; /* runs that are still in; ranked, the fastest comes first */
    size_t count;
    double *ms;        /* per run, its median; NaN: none */
    double fastest_ms; /* so far; 0: not known */
} race;

/* ---- one batch of runs of one storage ---- */

/* Tells the observer of the race, by the numbers of its group. */
typedef struct batch {
    const race *race;
    const size_t *members;
} batch;

static void tell_phase(void *context, size_t run, const char *phase)
{
    const batch *b = context;
    const td_observer *observer = b->race->observer;
    if (observer->phase != NULL) {
        observer->phase(observer->context, b->members[run], phase);
    }
}

static void tell_broken(void *context, size_t run, const td_result *result)
{
    const batch *b = context;
    const td_observer *observer = b->race->observer;
    b->race->results[b->members[run]] = *result;
    observer->broken(observer->context, b->members[run], result);
}

/* The same run with the launches of a sample only; *factor: how many times as long the whole run takes. */
static td_run shorten(const race *r, const td_run *run, uint32_t samples, double *factor)
{
    td_run brief = *run;
    const uint32_t launches = td_run_launches(run);
    const double launch_ms = r->fastest_ms / launches;
    const double most = fmin(most_launches, ceil(enough_ms / launch_ms));
    const uint32_t few =
        samples == 1 ? 1 : (uint32_t)fmin(fmax(most, 2.0), launches_per_sample * samples);
    *factor = 1.0;
    if (launches > few) {
        const uint32_t each = td_launch_generations(run->engine, run->workload);
        td_workload_set_steps(run->workload, &brief.problem, few * each);
        *factor = (double)launches / few;
    }
    return brief;
}

/* Keep of a short measurement only its time: launches and output are those of fewer steps, not of the run. */
static void take_short(race *r, size_t member, td_result *brief, double factor)
{
    td_result *result = &r->results[member];
    for (uint32_t s = 0; s < brief->sample_count; s++) {
        brief->sample_ms[s] *= factor;
    }
    (void)td_summarise(brief->sample_ms, brief->sample_count, &brief->time_ms);
    td_result_free(result);
    *result = (td_result){.status = brief->status,
                          .error = brief->error,
                          .started_unix_s = result->started_unix_s,
                          .sample_count = brief->sample_count,
                          .sample_ms = brief->sample_ms,
                          .time_ms = brief->time_ms,
                          .batch = brief->batch,
                          .graph = brief->graph,
                          .sampling = brief->sampling,
                          .before = brief->before,
                          .after = brief->after,
                          .energy_j = -1.0};
    memcpy(result->reason, brief->reason, sizeof result->reason);
}

static void take_full(race *r, size_t member, const td_result *full)
{
    td_result *result = &r->results[member];
    const double started_unix_s = result->started_unix_s;
    td_result_free(result);
    *result = *full;
    result->started_unix_s = started_unix_s;
}

/* Measure some runs of one storage. samples: of each, short and unverified; 0: as the protocol asks. */
static td_status measure_batch(race *r, const size_t *members, size_t count, uint32_t samples,
                               const td_protocol *protocol, td_error *error)
{
    td_run *runs = calloc(count, sizeof *runs);
    td_result *results = calloc(count, sizeof *results);
    double factor = 1.0; /* the same for all, which share one storage */
    batch b = {r, members};
    const td_observer observer = {.context = &b,
                                  .phase = tell_phase,
                                  .broken = r->observer->broken != NULL ? tell_broken : NULL};
    if (runs == NULL || results == NULL) {
        free(runs);
        free(results);
        return td_fail(error, TD_NO_MEMORY, "not enough memory for a batch of runs");
    }
    for (size_t i = 0; i < count; i++) {
        const td_run *run = &r->group->runs[members[i]];
        runs[i] = samples > 0 ? shorten(r, run, samples, &factor) : *run;
    }
    const td_group group = {runs, count};
    td_group_run(r->engine, protocol, &group, &observer, results);
    for (size_t i = 0; i < count; i++) {
        if (samples > 0) {
            take_short(r, members[i], &results[i], factor);
        } else {
            take_full(r, members[i], &results[i]);
        }
        const td_result *result = &r->results[members[i]];
        r->ms[members[i]] = result->status == TD_RUN_OK ? result->time_ms.median : NAN;
        r->fastest_ms = r->fastest_ms > 0.0       ? fmin(r->fastest_ms, r->ms[members[i]])
                        : r->ms[members[i]] > 0.0 ? r->ms[members[i]]
                                                  : 0.0;
    }
    free(results);
    free(runs);
    return TD_OK;
}

/* ---- some runs of the group ---- */

/* Reorder the runs so that those of the same storage follow each other and are measured together. */
static void bring_together(const race *r, size_t *members, size_t count)
{
    for (size_t placed = 1; placed < count; placed++) {
        size_t next = placed;
        while (next < count && r->group->runs[members[placed - 1]].workload !=
                                   r->group->runs[members[next]].workload) {
            next++;
        }
        if (next < count) {
            const size_t found = members[next];
            memmove(&members[placed + 1], &members[placed], (next - placed) * sizeof *members);
            members[placed] = found;
        }
    }
}

static td_protocol protocol_of(const race *r, uint32_t samples)
{
    td_protocol brief = *r->protocol;
    if (samples > 0) {
        brief.samples = samples < brief.samples ? samples : brief.samples;
        brief.max_time_s = fmin(brief.max_time_s, round_s);
        brief.warmup = 0;
        brief.brief = samples == 1;
        brief.precision = 0.0;
        brief.verify = false;
        brief.energy = false;
    }
    return brief;
}

static td_status measure(race *r, size_t *members, size_t count, uint32_t samples, td_error *error)
{
    const td_protocol protocol = protocol_of(r, samples);
    bring_together(r, members, count);
    for (size_t first = 0, end = 0; first < count; first = end) {
        const td_workload *storage = r->group->runs[members[first]].workload;
        while (end < count && end - first < BATCH &&
               r->group->runs[members[end]].workload == storage) {
            end++;
        }
        TRY(measure_batch(r, members + first, end - first, samples, &protocol, error));
    }
    return TD_OK;
}

/* ---- what need not be sampled ---- */

static void drop(const race *r, size_t member, const char *where, double times)
{
    td_result *result = &r->results[member];
    result->status = TD_RUN_DROPPED;
    snprintf(result->reason, sizeof result->reason, "%s%.1f times as long as the fastest", where,
             times);
}

/* The run of a group with the same kernel, block and tile, and this schedule; the group's count if there is none. */
static size_t find(const td_group *group, const td_run *run, td_schedule schedule)
{
    for (size_t r = 0; r < group->count; r++) {
        const td_run *other = &group->runs[r];
        if (other->schedule == schedule && other->workload == run->workload &&
            other->tile == run->tile && other->width == run->width && other->tiled == run->tiled &&
            memcmp(&other->block, &run->block, sizeof run->block) == 0) {
            return r;
        }
    }
    return group->count;
}

static double least_of(const double *ms, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, ms[i]); /* of a NaN and a number, the number */
    }
    return least;
}

/* Whether the first race says anything about this group. */
static bool is_comparable(const td_races *races, const td_group *group)
{
    const td_run *first = races->first != NULL ? races->first->runs : NULL;
    const td_run *run = group->runs;
    const double n = run->problem.n;
    const double cells = run->workload->dimension == 3 ? n * n * n / 6.0 : n * n / 2.0;
    return cells >= least_cells && first != NULL && first->engine == run->engine &&
           first->problem.n == run->problem.n &&
           strcmp(first->workload->name, run->workload->name) == 0;
}

/* The time of a run under the first map; NaN: not known. */
static double earlier_ms(const race *r, size_t member)
{
    const td_races *races = r->races;
    const td_run *run = &r->group->runs[member];
    if (!is_comparable(races, r->group)) {
        return NAN;
    }
    const size_t twin = find(races->first, run, run->schedule);
    return twin < races->first->count ? races->ms[twin] : NAN;
}

/* Whether one sample is as good as the next. On a host, other work may disturb any of them. */
static bool is_steady(const race *r)
{
    return r->group->runs->engine->can.device_memory;
}

static bool is_grid(const race *r, size_t member)
{
    return r->group->runs[member].schedule == TD_SCHEDULE_GRID;
}

/* Drop the run if it is foreseen to be hopeless: as it was under the first map, or as its grid is. */
static bool drop_foreseen(const race *r, size_t member, double least_earlier_ms)
{
    if (!is_steady(r)) {
        return false;
    }
    const size_t grid = find(r->group, &r->group->runs[member], TD_SCHEDULE_GRID);
    const bool has_grid = !is_grid(r, member) && grid < r->group->count;
    const double before = earlier_ms(r, member) / least_earlier_ms;
    const double as_grid = has_grid ? r->ms[grid] / r->fastest_ms : NAN;
    if (before > hopeless || as_grid > hopeless) {
        drop(r, member, before > hopeless ? "under another map, " : "as a grid, ",
             before > hopeless ? before : as_grid);
        return true;
    }
    return false;
}

/* ---- the race ---- */

static td_status measure_first(race *r, bool grids, td_error *error)
{
    size_t *open = calloc(r->count + 1, sizeof *open);
    size_t count = 0;
    const double least =
        r->races->first != NULL ? least_of(r->races->ms, r->races->first->count) : NAN;
    if (open == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for a race");
    }
    for (size_t i = 0; i < r->count; i++) {
        const size_t member = r->list[i];
        if (is_grid(r, member) == grids && r->results[member].sample_count == 0 &&
            !drop_foreseen(r, member, least)) {
            open[count++] = member;
        }
    }
    const td_status status = measure(r, open, count, 1, error);
    free(open);
    return status;
}

/* Sample one run that was also sampled under another map: it shows whether the map is worth sampling the others. */
static td_status is_hopeless_map(race *r, double *times, td_error *error)
{
    size_t i = 0;
    while (i < r->count && !isfinite(earlier_ms(r, r->list[i]))) {
        i++;
    }
    *times = 0.0;
    if (!is_steady(r) || i == r->count) {
        return TD_OK;
    }
    size_t first = r->list[i];
    TRY(measure(r, &first, 1, 1, error));
    *times = r->ms[first] / earlier_ms(r, first);
    return TD_OK;
}

static void drop_all(const race *r, double times)
{
    for (size_t i = 0; i < r->count; i++) {
        td_result *result = &r->results[r->list[i]];
        if (result->status == TD_RUN_OK) {
            result->status = TD_RUN_DROPPED;
            snprintf(result->reason, sizeof result->reason,
                     "the map takes %.0f times as long as another", times);
        }
    }
}

/* Fastest first; of equals, the one that comes first in the group. */
static int by_time(const void *a, const void *b, void *context)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const double *ms = context;
    const int order = (ms[x] > ms[y]) - (ms[x] < ms[y]);
    return order != 0 ? order : (x > y) - (x < y);
}

/* Keep of the list what was measured, fastest first. */
static void sort_by_time(race *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (isfinite(r->ms[r->list[i]]) && r->results[r->list[i]].status == TD_RUN_OK) {
            r->list[kept++] = r->list[i];
        }
    }
    r->count = kept;
    qsort_r(r->list, r->count, sizeof *r->list, by_time, r->ms);
    r->fastest_ms = kept > 0 ? r->ms[r->list[0]] : 0.0;
}

/* Drop half of the ranked runs, or more if some of the other half are far slower: one sample may be off by half, the
 * median of several by less. */
static void drop_slow(race *r, uint32_t samples)
{
    const double limit_ms = r->fastest_ms * (1.0 + 0.5 / samples);
    size_t kept = (r->count + 1) / 2;
    while (kept > FINALISTS && r->ms[r->list[kept - 1]] > limit_ms) {
        kept--;
    }
    kept = kept > FINALISTS ? kept : FINALISTS;
    for (size_t i = kept; i < r->count; i++) {
        drop(r, r->list[i], "", r->ms[r->list[i]] / r->fastest_ms);
    }
    r->count = kept < r->count ? kept : r->count;
}

static td_status halve(race *r, td_error *error)
{
    double times = 0.0;
    TRY(is_hopeless_map(r, &times, error));
    if (times > hopeless_map) {
        drop_all(r, times);
        r->count = 0;
        return TD_OK;
    }
    TRY(measure_first(r, true, error));
    TRY(measure_first(r, false, error));
    sort_by_time(r);
    for (uint32_t samples = 1; r->count > FINALISTS; samples *= 2) {
        TRY(samples > 1 ? measure(r, r->list, r->count, samples, error) : TD_OK);
        sort_by_time(r);
        drop_slow(r, samples);
    }
    return TD_OK;
}

/* Keep what the race under the first map has found: under other maps, what was hopeless then is skipped. */
static void remember(td_races *races, race *r)
{
    if (!is_comparable(races, r->group)) {
        td_races_forget(races);
        *races = (td_races){r->group, r->ms};
        r->ms = NULL;
    }
}

static td_status run_race(race *r, td_races *races, td_error *error)
{
    for (size_t i = 0; i < r->group->count; i++) {
        r->ms[i] = NAN;
        if (r->results[i].status == TD_RUN_OK) {
            r->list[r->count++] = i;
        }
    }
    TRY(halve(r, error));
    TRY(measure(r, r->list, r->count, 0, error));
    remember(races, r);
    return TD_OK;
}

void td_race_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                 const td_observer *observer, td_races *races, td_result *results)
{
    td_error error;
    race r = {.engine = engine,
              .protocol = protocol,
              .group = group,
              .observer = observer,
              .races = races,
              .results = results,
              .list = calloc(group->count, sizeof(size_t)),
              .ms = calloc(group->count, sizeof(double))};
    const td_status status =
        r.list != NULL && r.ms != NULL
            ? run_race(&r, races, &error)
            : td_fail(&error, TD_NO_MEMORY, "not enough memory for a race of %zu runs",
                      group->count);
    for (size_t i = 0; status != TD_OK && i < group->count; i++) {
        if (results[i].status == TD_RUN_OK) {
            td_fail_run(&results[i], status, &error);
        }
    }
    free(r.list);
    free(r.ms);
}

void td_races_forget(td_races *races)
{
    free(races->ms);
    *races = (td_races){NULL, NULL};
}
