#include "group.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/prepare/execution.h"
#include "engine/prepare/planning.h"
#include "engine/prepare/rows.h"
#include "engine/prepare/tables.h"
#include "plain_loop.h"
#include "session.h"
#include "together.h"

void td_result_free(td_result *result)
{
    free(result->sample_ms);
    free(result->part_results);
    result->sample_ms = NULL;
    result->sample_count = 0;
    result->part_results = NULL;
    result->part_count = 0;
}

static void plan_all(td_session *s)
{
    for (size_t r = 0; r < s->group->count; r++) {
        td_error error;
        if (!td_session_is_open(s, r)) {
            continue;
        }
        const td_status status = td_agree(
            s->engine,
            td_plan_for(s->engine, &s->group->runs[r], s->protocol->inexact, &s->plans[r], &error),
            &error);
        if (status != TD_OK) {
            td_fail_run(&s->results[r], status, &error);
        } else {
            td_run_counts(&s->group->runs[r], &s->plans[r], &s->results[r]);
            td_add_up_counts(s->engine, &s->results[r]);
        }
    }
}

/* Runs of a group may differ in tile size. An output with one element per tile must be large enough for the smallest
 * tile. */
static const td_run *largest_run(const td_session *s)
{
    const td_run *largest = NULL;
    for (size_t r = 0; r < s->group->count; r++) {
        const td_run *run = &s->group->runs[r];
        if (td_session_is_open(s, r) && (largest == NULL || run->tile < largest->tile)) {
            largest = run;
        }
    }
    return largest;
}

/* Whether the group also has buffers that count the visits of each cell. */
static bool counts_visits(const td_session *s, const td_run *run)
{
    const bool by_count =
        run->workload->traits.proven_by_count || td_is_proven_by_loop(run->workload);
    return by_count && td_session_verifies(s);
}

/* All runs of a group share its buffers: without them none can start. */
static td_status open_buffers(td_session *s, td_error *error)
{
    const td_run *run = largest_run(s);
    const td_problem problem = td_run_problem(run);
    /* The same share for all runs: their maps are of blocks, with tiles of one size. */
    if (run->parts > 0) {
        s->share = td_run_share(run);
        s->engine->share = &s->share;
    }
    TRY(td_buffers_open(s->engine, run->workload, &problem, &s->buffers, error));
    if (counts_visits(s, run)) {
        return td_buffers_open(s->engine, td_workload_that_counts(run->workload->dimension),
                               &problem, &s->visits, error);
    }
    return TD_OK;
}

static void release_buffers(td_session *s)
{
    for (size_t r = 0; r < s->group->count; r++) {
        if (s->prepared[r] != NULL) {
            s->engine->ops->discard(s->engine, s->prepared[r]);
            s->prepared[r] = NULL;
        }
    }
    td_buffers_close(&s->visits);
    td_buffers_close(&s->buffers);
}

static void measure(td_session *s)
{
    td_error error;
    const td_status status = td_agree(s->engine, open_buffers(s, &error), &error);
    /* If the device broke, the first failure ends the worker, and the next worker gets the other runs. */
    for (size_t r = 0; status != TD_OK && r < s->group->count; r++) {
        if (td_session_is_open(s, r)) {
            td_session_failed(s, r, status, &error);
        }
    }
    td_session_verify(s);
    td_session_warm_up(s);
    td_session_sample(s);
}

/* Begin a profiler's range such as "edm1, n 1024, 6 runs"; NULL: the group has ended. */
static void name_group(const td_session *s, const char *name)
{
    if (s->engine->ops->range != NULL) {
        s->engine->ops->range(s->engine, 0, name);
    }
}

static void run_open(td_session *s)
{
    char name[128];
    snprintf(name, sizeof name, "%s, n %u, %zu runs", s->group->runs[0].workload->name,
             s->group->runs[0].problem.n, s->group->count);
    name_group(s, name);
    plan_all(s);
    if (td_session_open_runs(s) > 0) {
        measure(s);
    }
    if (s->protocol->energy) {
        td_session_measure_energy(s);
    }
    td_session_tell(s, 0, "clean up");
    name_group(s, NULL);
}

/* ---- statistics ---- */

static bool has_time(const td_result *result)
{
    return result->status == TD_RUN_OK && result->sample_count > 0;
}

/* The ratios of the baseline's samples to a run's own, if both have any. A ratio to no time is undefined. */
static bool compare(const td_group *group, td_result *results, size_t index)
{
    td_result *own = &results[index];
    own->baseline = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const td_result *base = &results[i];
        if (group->runs[i].is_baseline && i != index && has_time(base) && has_time(own) &&
            own->time_ms.median > 0) {
            /* Rounds are common to the group, but with --precision a run may need fewer. */
            const uint32_t rounds =
                base->sample_count < own->sample_count ? base->sample_count : own->sample_count;
            own->baseline = group->runs[i].strategy->name;
            return td_improvement(base->sample_ms, own->sample_ms, rounds, &own->improvement);
        }
    }
    return true;
}

void td_group_summarise(const td_group *group, td_result *results)
{
    const td_error error = {"not enough memory for the statistics of the samples"};
    for (size_t r = 0; r < group->count; r++) {
        td_result *result = &results[r];
        if (!td_summarise(result->sample_ms, result->sample_count, &result->time_ms)) {
            td_fail_run(result, TD_NO_MEMORY, &error);
        }
    }
    for (size_t r = 0; r < group->count; r++) {
        if (!group->runs[r].is_baseline && !compare(group, results, r)) {
            td_fail_run(&results[r], TD_NO_MEMORY, &error);
        }
    }
}

void td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                  const td_observer *observer, td_result *results)
{
    td_session s = {.engine = engine,
                    .protocol = protocol,
                    .group = group,
                    .observer = observer,
                    .results = results};
    s.plans = calloc(group->count, sizeof *s.plans);
    s.prepared = calloc(group->count, sizeof *s.prepared);
    s.own_ms = calloc(group->count, sizeof *s.own_ms);
    if (s.plans != NULL && s.prepared != NULL && s.own_ms != NULL) {
        run_open(&s);
    } else {
        const td_error error = {"not enough memory for a group of runs"};
        for (size_t r = 0; r < group->count; r++) {
            td_fail_run(&results[r], TD_NO_MEMORY, &error);
        }
    }
    if (s.prepared != NULL) {
        release_buffers(&s);
    }
    for (size_t r = 0; s.plans != NULL && r < group->count; r++) {
        td_plan_release(engine, &s.plans[r]);
    }
    td_group_summarise(group, results);
    for (size_t r = 0; s.own_ms != NULL && r < group->count; r++) {
        free(s.own_ms[r]);
    }
    engine->share = NULL;
    free(s.own_ms);
    free(s.prepared);
    free(s.plans);
}
