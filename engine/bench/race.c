#include "race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/prepare/planning.h"

/* The most runs that are measured as the protocol asks. */
enum { FINALISTS = 5 };

/* A run is hopeless if it, or its grid, took this many times as long as the fastest under all maps so far: a map
 * changes the order of blocks and not what a block does, unless it gives a block whole rows; a schedule changes who
 * computes a tile and not how. The rest is for single samples. */
static const double hopeless = 2.0;

/* On domains with fewer cells launches may count for more than blocks, and nothing is foreseen. */
static const double least_cells = 1 << 24;

/* The launches of an automaton all take equally long, so a sample makes only a few: at most most_launches, or
 * enough_ms of them, which is enough for caches and clocks to settle. */
static const double launches_per_sample = 2.0, most_launches = 16.0, enough_ms = 8.0;

/* The limit on the sampling time of a run in a round, which takes at least one sample anyway. */
static const double round_s = 0.25;

/* A run that has not been dropped. */
typedef struct entrant {
    size_t run;
    double ms;  /* its median; NaN: none */
    bool waits; /* to be measured */
} entrant;

typedef struct race {
    td_engine *engine;
    const td_protocol *protocol;
    const td_group *group;
    const td_observer *observer;
    td_races *races;
    td_result *results;
    td_result *measured; /* per run, by one td_group_run; skipped: does not take part in it */
    entrant *entrants;   /* the fastest first, once they are sorted */
    size_t count;
    double fastest_ms; /* so far */
} race;

static const td_run *run_of(const race *r, const entrant *e)
{
    return &r->group->runs[e->run];
}

/* ---- measuring those that wait ---- */

/* For runs with so many launches. samples: of each run, short and unverified; 0: as the race's protocol asks. */
static td_protocol protocol_of(const race *r, double launches, uint32_t samples)
{
    td_protocol brief = *r->protocol;
    brief.is_race = true;
    if (samples > 0) {
        const double most = fmin(most_launches, ceil(enough_ms * launches / r->fastest_ms));
        brief.launches =
            samples == 1 ? 1 : (uint32_t)fmin(fmax(most, 2.0), launches_per_sample * samples);
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

static void take(race *r, entrant *e)
{
    td_result *result = &r->results[e->run], *measured = &r->measured[e->run];
    measured->started_unix_s = result->started_unix_s;
    td_result_free(result);
    *result = *measured;
    *measured = (td_result){.status = TD_RUN_SKIPPED};
    e->waits = false;
    e->ms = result->status == TD_RUN_OK ? result->time_ms.median : NAN;
    r->fastest_ms = fmin(r->fastest_ms, e->ms); /* of a NaN and a number, the number */
}

/* Measure those that wait, storage by storage: runs of one storage share buffers and input, and setting these up takes
 * longer than a sample. */
static void measure(race *r, uint32_t samples)
{
    for (size_t i = 0; i < r->count; i++) {
        const td_run *first = run_of(r, &r->entrants[i]);
        if (!r->entrants[i].waits) {
            continue;
        }
        const td_protocol protocol = protocol_of(r, td_run_launches(first), samples);
        for (size_t j = i; j < r->count; j++) {
            const entrant *e = &r->entrants[j];
            if (e->waits && run_of(r, e)->workload == first->workload) {
                r->measured[e->run].status = TD_RUN_OK;
            }
        }
        td_group_run(r->engine, &protocol, r->group, r->observer, r->measured);
        for (size_t j = i; j < r->count; j++) {
            if (r->measured[r->entrants[j].run].status != TD_RUN_SKIPPED) {
                take(r, &r->entrants[j]);
            }
        }
    }
}

static void measure_all(race *r, uint32_t samples)
{
    for (size_t i = 0; i < r->count; i++) {
        r->entrants[i].waits = true;
    }
    measure(r, samples);
}

/* ---- what need not be sampled ---- */

/* What runs under different maps have in common; without padding, so that memcmp compares it. */
typedef struct choices {
    const td_workload *workload;
    uint32_t n, tile, width, tiled, schedule;
    td_dim3 block;
} choices;

/* How many times as long as the fastest of its race a run took, under the first map. */
typedef struct td_raced {
    choices choices;
    double times;
} td_raced;

static choices choices_of(const td_run *run, td_schedule schedule)
{
    return (choices){run->workload, run->problem.n,     run->tile, run->width,
                     run->tiled,    (uint32_t)schedule, run->block};
}

/* NULL: no run with these choices has been sampled. */
static const td_raced *find(const td_races *races, choices wanted)
{
    for (size_t i = 0; i < races->count; i++) {
        if (memcmp(&races->raced[i].choices, &wanted, sizeof wanted) == 0) {
            return &races->raced[i];
        }
    }
    return NULL;
}

/* The first map that takes them decides: a later one leaves out what is hopeless. Without memory for it, less is
 * foreseen. */
static void remember(td_races *races, choices chosen, double times)
{
    if (find(races, chosen) == NULL) {
        (void)td_append(&races->raced, &races->count, sizeof *races->raced,
                        &(td_raced){chosen, times});
    }
}

/* Whether one sample is as good as the next, and blocks count. On a host, other work may disturb any sample. */
static bool is_steady(const td_run *run)
{
    const double n = run->problem.n;
    const double cells = run->workload->dimension == 3 ? n * n * n / 6.0 : n * n / 2.0;
    return run->engine->can.device_memory && cells >= least_cells;
}

static void remember_all(const race *r)
{
    for (size_t i = 0; is_steady(r->group->runs) && i < r->count; i++) {
        const entrant *e = &r->entrants[i];
        const td_run *run = run_of(r, e);
        if (isfinite(e->ms)) {
            remember(r->races, choices_of(run, run->schedule), e->ms / r->fastest_ms);
        }
    }
}

static void drop(const race *r, const entrant *e, const char *where, double times)
{
    td_result *result = &r->results[e->run];
    result->status = TD_RUN_DROPPED;
    snprintf(result->reason, sizeof result->reason, "%s%.1f times as long as the fastest", where,
             times);
}

/* Drop the run if it is foreseen to be hopeless: as it was under other maps, or as its grid is. */
static bool drop_foreseen(const race *r, const entrant *e)
{
    const td_run *run = run_of(r, e);
    const td_raced *before = find(r->races, choices_of(run, run->schedule));
    const td_raced *grid = find(r->races, choices_of(run, TD_SCHEDULE_GRID));
    const bool was_slow = before != NULL && before->times > hopeless;
    const bool is_slow = was_slow || (grid != NULL && grid->times > hopeless);
    if (is_slow) {
        drop(r, e, was_slow ? "under other maps at least " : "as a grid, ",
             was_slow ? before->times : grid->times);
    }
    return is_slow;
}

/* ---- the race ---- */

static void measure_first(race *r, bool grids)
{
    for (size_t i = 0; i < r->count; i++) {
        entrant *e = &r->entrants[i];
        const bool is_grid = run_of(r, e)->schedule == TD_SCHEDULE_GRID;
        e->waits = is_grid == grids && !drop_foreseen(r, e);
    }
    measure(r, 1);
    remember_all(r);
}

/* Fastest first; of equals, the one that comes first in the group; at last, those that were not measured. */
static int by_time(const void *a, const void *b)
{
    const entrant *x = a, *y = b;
    const int known = isnan(x->ms) - isnan(y->ms);
    const int order = known != 0 ? known : (x->ms > y->ms) - (x->ms < y->ms);
    return order != 0 ? order : (x->run > y->run) - (x->run < y->run);
}

/* Sort the runs that were measured; the others are out. */
static void sort_entrants(race *r)
{
    qsort(r->entrants, r->count, sizeof *r->entrants, by_time);
    while (r->count > 0 && isnan(r->entrants[r->count - 1].ms)) {
        r->count--;
    }
    r->fastest_ms = r->count > 0 ? r->entrants[0].ms : INFINITY;
}

/* Drop half of the sorted runs, or more if some of the other half are far slower: one sample may be off by half, the
 * median of several by less. */
static void drop_slow(race *r, uint32_t samples)
{
    const double limit_ms = r->fastest_ms * (1.0 + 0.5 / samples);
    size_t kept = (r->count + 1) / 2;
    while (kept > FINALISTS && r->entrants[kept - 1].ms > limit_ms) {
        kept--;
    }
    kept = kept > FINALISTS ? kept : FINALISTS;
    while (r->count > kept) {
        const entrant *last = &r->entrants[--r->count];
        drop(r, last, "", last->ms / r->fastest_ms);
    }
}

static void run_race(race *r)
{
    measure_first(r, true);
    measure_first(r, false);
    sort_entrants(r);
    for (uint32_t samples = 1; r->count > FINALISTS; samples *= 2) {
        if (samples > 1) {
            measure_all(r, samples);
            sort_entrants(r);
        }
        drop_slow(r, samples);
    }
    measure_all(r, 0);
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
              .fastest_ms = INFINITY};
    td_status status = td_allocate(&r.measured, group->count, sizeof *r.measured, &error, "a race");
    if (status == TD_OK) {
        status = td_allocate(&r.entrants, group->count, sizeof *r.entrants, &error, "a race");
    }
    for (size_t i = 0; i < group->count; i++) {
        if (status == TD_OK) {
            r.measured[i].status = TD_RUN_SKIPPED;
        }
        if (status == TD_OK && results[i].status == TD_RUN_OK) {
            r.entrants[r.count++] = (entrant){i, NAN, false};
        } else if (results[i].status == TD_RUN_OK) {
            td_fail_run(&results[i], status, &error);
        }
    }
    run_race(&r);
    free(r.measured);
    free(r.entrants);
}

void td_races_forget(td_races *races)
{
    free(races->raced);
    *races = (td_races){.count = 0};
}
