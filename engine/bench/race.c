#include "race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/prepare/execution.h"

/* The most runs that are measured as the protocol asks. */
enum { FINALISTS = 5 };

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
    td_result *results;
    td_result *measured; /* per run, by one td_group_run; skipped: does not take part in it */
    size_t *entrants; /* runs that have not been dropped; the fastest first, once they are sorted */
    size_t count;
    double fastest_ms;
} race;

/* ---- measuring ---- */

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

static void take(race *r, size_t run)
{
    td_result *result = &r->results[run], *measured = &r->measured[run];
    measured->started_unix_s = result->started_unix_s;
    td_result_free(result);
    *result = *measured;
    *measured = (td_result){.status = TD_RUN_SKIPPED};
}

/* Runs of one storage share buffers and input, and setting these up takes longer than a sample. */
static void measure_storage(race *r, const td_run *first, uint32_t samples)
{
    const td_protocol protocol = protocol_of(r, td_run_launches(first), samples);
    for (size_t i = 0; i < r->count; i++) {
        const size_t run = r->entrants[i];
        const bool is_same = r->group->runs[run].workload == first->workload;
        r->measured[run].status = is_same ? TD_RUN_OK : TD_RUN_SKIPPED;
    }
    td_group_run(r->engine, &protocol, r->group, r->observer, r->measured);
    for (size_t i = 0; i < r->count; i++) {
        if (r->measured[r->entrants[i]].status != TD_RUN_SKIPPED) {
            take(r, r->entrants[i]);
        }
    }
}

static bool is_first_of_storage(const race *r, size_t entrant)
{
    const td_run *runs = r->group->runs;
    size_t i = 0;
    while (runs[r->entrants[i]].workload != runs[r->entrants[entrant]].workload) {
        i++;
    }
    return i == entrant;
}

/* Measure all entrants. Their order stays. */
static void measure(race *r, uint32_t samples)
{
    for (size_t i = 0; i < r->count; i++) {
        if (is_first_of_storage(r, i)) {
            measure_storage(r, &r->group->runs[r->entrants[i]], samples);
        }
    }
}

/* ---- dropping ---- */

/* Fastest first; of equals, the one that comes first in the group. */
static int by_time(const void *a, const void *b, void *results)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const double x_ms = ((const td_result *)results)[x].time_ms.median;
    const double y_ms = ((const td_result *)results)[y].time_ms.median;
    return x_ms != y_ms ? (x_ms > y_ms) - (x_ms < y_ms) : (x > y) - (x < y);
}

/* Sort the entrants; those that failed are out. */
static void sort_entrants(race *r)
{
    const size_t count = r->count;
    r->count = 0;
    for (size_t i = 0; i < count; i++) {
        const td_result *result = &r->results[r->entrants[i]];
        if (result->status == TD_RUN_OK && result->sample_count > 0) {
            r->entrants[r->count++] = r->entrants[i];
        }
    }
    qsort_r(r->entrants, r->count, sizeof *r->entrants, by_time, r->results);
    r->fastest_ms = r->count > 0 ? r->results[r->entrants[0]].time_ms.median : INFINITY;
}

/* Drop half of the sorted runs, or more if some of the other half are far slower: one sample may be off by half, the
 * median of several by less. */
static void drop_slow(race *r, uint32_t samples)
{
    const double limit = 1.0 + 0.5 / samples;
    const size_t half = (r->count + 1) / 2;
    while (r->count > FINALISTS) {
        td_result *last = &r->results[r->entrants[r->count - 1]];
        const double times = last->time_ms.median / r->fastest_ms;
        if (r->count <= half && times <= limit) {
            break;
        }
        last->status = TD_RUN_DROPPED;
        snprintf(last->reason, sizeof last->reason, "%.1f times as long as the fastest", times);
        r->count--;
    }
}

static void run_race(race *r)
{
    for (uint32_t samples = 1; samples == 1 || r->count > FINALISTS; samples *= 2) {
        measure(r, samples);
        sort_entrants(r);
        drop_slow(r, samples);
    }
    measure(r, 0);
}

void td_race_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                 const td_observer *observer, td_result *results)
{
    const td_error error = {"not enough memory for a race"};
    race r = {.engine = engine,
              .protocol = protocol,
              .group = group,
              .observer = observer,
              .results = results,
              .measured = calloc(group->count, sizeof *r.measured),
              .entrants = calloc(group->count, sizeof *r.entrants),
              .fastest_ms = INFINITY};
    const bool has_room = r.measured != NULL && r.entrants != NULL;
    for (size_t i = 0; i < group->count; i++) {
        if (has_room) {
            r.measured[i].status = TD_RUN_SKIPPED;
        }
        if (has_room && results[i].status == TD_RUN_OK) {
            r.entrants[r.count++] = i;
        } else if (results[i].status == TD_RUN_OK) {
            td_fail_run(&results[i], TD_NO_MEMORY, &error);
        }
    }
    if (has_room) {
        run_race(&r);
    }
    free(r.measured);
    free(r.entrants);
}
