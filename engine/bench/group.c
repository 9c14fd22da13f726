#include "group.h"

#include <stdio.h>
#include <stdlib.h>

#include "energy.h"
#include "engine/core/error.h"
#include "engine/verify/verification.h"
#include "planning.h"
#include "rank_results.h"
#include "sampling.h"

/* A group being run. */
typedef struct td_session {
    td_engine *engine;
    const td_protocol *protocol;
    const td_group *group;
    const td_observer *observer;
    td_result *results;
    td_plan *plans;
    td_prepared **prepared;
    td_buffers buffers;
    uint32_t setup;    /* the one at hand, from 0 */
    size_t in_energy;  /* the run whose energy is being counted */
    td_buffers visits; /* for workloads that are verified by counting them */
    double **own_ms;   /* of each run, its samples on this rank; with --ranks only */
    td_share share;
} td_session;

void td_result_free(td_result *result)
{
    free(result->sample_ms);
    free(result->rank_results);
    result->sample_ms = NULL;
    result->sample_count = 0;
    result->rank_results = NULL;
    result->rank_count = 0;
}

/* Too late to reject the command line, whatever is wrong: other runs may have been measured. */
static void fail_run(td_result *result, td_status status, const td_error *error)
{
    result->status = TD_RUN_FAILED;
    result->error = status == TD_USAGE ? TD_FAILED : status;
    snprintf(result->reason, sizeof result->reason, "%.*s", TD_REASON_SIZE - 1, error->text);
}

static bool is_open(const td_session *s, size_t run)
{
    return s->results[run].status == TD_RUN_OK;
}

static void tell(const td_session *s, size_t run, const char *phase)
{
    if (s->observer->phase != NULL) {
        s->observer->phase(s->observer->context, run, phase);
    }
}

/* A run failed in the engine: note why and, when nothing can succeed any more, say so. */
static void engine_failed(td_session *s, size_t run, td_status status, const td_error *error)
{
    fail_run(&s->results[run], status, error);
    const td_engine_ops *ops = s->engine->ops;
    if (s->observer->broken != NULL && ops->is_healthy != NULL && !ops->is_healthy(s->engine)) {
        s->observer->broken(s->observer->context, run, &s->results[run]);
    }
}

static void plan_all(td_session *s)
{
    for (size_t r = 0; r < s->group->count; r++) {
        td_error error;
        if (!is_open(s, r)) {
            continue;
        }
        const td_status status = td_ranks_agree(
            s->engine->ranks,
            td_run_plan(&s->group->runs[r], s->protocol->inexact, &s->plans[r], &error), &error);
        if (status != TD_OK) {
            fail_run(&s->results[r], status, &error);
        } else {
            td_run_counts(&s->group->runs[r], &s->plans[r], &s->results[r]);
            td_rank_results_add_up(s->engine, &s->results[r]);
        }
    }
}

/* Runs of a group may differ in the size of their tiles. An output with one element per tile is as large as the
 * smallest tile needs. */
static const td_run *largest_run(const td_session *s)
{
    const td_run *largest = NULL;
    for (size_t r = 0; r < s->group->count; r++) {
        const td_run *run = &s->group->runs[r];
        if (is_open(s, r) && (largest == NULL || run->tile < largest->tile)) {
            largest = run;
        }
    }
    return largest;
}

static uint32_t setups_of(const td_session *s)
{
    const uint32_t wanted = s->protocol->setups > 0 ? s->protocol->setups : 1;
    return wanted < s->protocol->samples ? wanted : s->protocol->samples;
}

static bool verifies(const td_session *s)
{
    return s->protocol->verify && s->engine->ops->check != NULL;
}

/* Buffers are the group's: without them no run of it can start. */
static td_status open_buffers(td_session *s, td_error *error)
{
    const td_run *run = largest_run(s);
    const td_problem problem = td_run_problem(run);
    if (run->ranks > 0) { /* of all runs the same: maps of blocks, which have one tile in common */
        s->share = td_run_share(run);
        s->engine->share = &s->share;
    }
    TRY(td_buffers_open(s->engine, run->workload, &problem, &s->buffers, error));
    if (run->workload->proven_by_count && verifies(s)) {
        return td_buffers_open(s->engine, td_workload_that_counts(run->workload->dimension),
                               &problem, &s->visits, error);
    }
    return TD_OK;
}

/* Once is enough, however often a group is set up. */
static bool wants_output(const td_session *s)
{
    return s->observer->output != NULL && s->setup == 0;
}

static td_status verify_run(td_session *s, size_t r, td_error *error)
{
    const td_run *run = &s->group->runs[r];
    const td_execution execution = td_execution_of(&s->buffers, run, &s->plans[r]);
    td_result *result = &s->results[r];
    TRY(td_verify(&s->buffers, &execution, result, error));
    if (s->visits.engine != NULL && result->verified == TD_VERIFIED_PASS) {
        const td_execution visits = td_execution_of(&s->visits, run, &s->plans[r]);
        TRY(td_verify(&s->visits, &visits, result, error));
    }
    if (wants_output(s) && result->verified == TD_VERIFIED_PASS) {
        return td_ranks_agree(s->engine->ranks,
                              s->observer->output(s->observer->context, run, &s->buffers, error),
                              error);
    }
    return TD_OK;
}

static td_status dump_unverified(td_session *s, size_t r, td_error *error)
{
    const td_execution execution = td_execution_of(&s->buffers, &s->group->runs[r], &s->plans[r]);
    td_status status = s->engine->ops->launch(s->engine, &execution, error);
    TRY(td_ranks_agree(s->engine->ranks, status, error));
    status = s->observer->output(s->observer->context, &s->group->runs[r], &s->buffers, error);
    return td_ranks_agree(s->engine->ranks, status, error);
}

static void verify_all(td_session *s)
{
    for (size_t r = 0; r < s->group->count; r++) {
        td_error error;
        td_status status = TD_OK;
        if (!is_open(s, r)) {
            continue;
        }
        tell(s, r, "verify");
        if (verifies(s)) {
            status = verify_run(s, r, &error);
        } else if (wants_output(s)) {
            status = dump_unverified(s, r, &error);
        }
        if (status != TD_OK) {
            engine_failed(s, r, status, &error);
        }
    }
}

static void read_telemetry(td_engine *engine, td_telemetry *telemetry)
{
    const td_telemetry unknown = {-1, -1, -1, -1, -1};
    *telemetry = unknown;
    if (engine->ops->telemetry != NULL) {
        engine->ops->telemetry(engine, telemetry);
    }
}

static void warm_up_all(td_session *s)
{
    for (size_t r = 0; r < s->group->count; r++) {
        td_error error;
        if (!is_open(s, r)) {
            continue;
        }
        tell(s, r, "warm up");
        const td_execution execution =
            td_execution_of(&s->buffers, &s->group->runs[r], &s->plans[r]);
        td_status status =
            td_warm_up(s->engine, &execution, s->protocol, &s->results[r], &s->prepared[r], &error);
        if (status == TD_OK && s->setup == 0) {
            read_telemetry(s->engine, &s->results[r].before);
            s->results[r].sample_ms = calloc(s->protocol->samples, sizeof(double));
            if (s->results[r].sample_ms == NULL) {
                status = td_fail(&error, TD_NO_MEMORY, "not enough memory for the samples");
            }
            s->own_ms[r] = calloc(s->protocol->samples, sizeof(double));
            if (s->own_ms[r] == NULL) {
                status = td_fail(&error, TD_NO_MEMORY, "not enough memory for the samples");
            }
            status = td_ranks_agree(s->engine->ranks, status, &error);
        }
        s->results[r].setup_first[s->setup] = s->results[r].sample_count;
        if (status != TD_OK) {
            engine_failed(s, r, status, &error);
        }
    }
}

static td_status sample_run(td_session *s, size_t r, td_error *error)
{
    td_result *result = &s->results[r];
    double batch_ms = 0.0, own_ms = 0.0;
    if (s->protocol->cache == TD_CACHE_COLD && s->engine->ops->flush != NULL) {
        TRY(td_ranks_agree(s->engine->ranks, s->engine->ops->flush(s->engine, error), error));
    }
    TRY(td_sample(s->engine, s->protocol, s->prepared[r], &batch_ms, &own_ms, error));
    s->own_ms[r][result->sample_count] = own_ms / result->batch;
    result->sample_ms[result->sample_count++] = batch_ms / result->batch;
    if (s->engine->ops->exchange_ms != NULL) {
        result->exchange_ms =
            td_ranks_largest(s->engine->ranks, s->engine->ops->exchange_ms(s->engine));
    }
    return TD_OK;
}

/* One sample of every open run; returns the time they took [ms]. */
static double sample_round(td_session *s, size_t *order, uint32_t round)
{
    double elapsed_ms = 0.0;
    td_shuffle(order, s->group->count, s->protocol->seed, round);
    for (size_t i = 0; i < s->group->count; i++) {
        const size_t r = order[i];
        td_error error;
        if (!is_open(s, r)) {
            continue;
        }
        tell(s, r, "sample");
        const td_status status = sample_run(s, r, &error);
        if (status != TD_OK) {
            engine_failed(s, r, status, &error);
            continue;
        }
        elapsed_ms += s->results[r].sample_ms[s->results[r].sample_count - 1] * s->results[r].batch;
    }
    return elapsed_ms;
}

static size_t open_runs(const td_session *s)
{
    size_t count = 0;
    for (size_t r = 0; r < s->group->count; r++) {
        count += is_open(s, r);
    }
    return count;
}

/* The time budget is a run's, so the group's is that many times larger: all of its runs end with the same round. */
static void sample_all(td_session *s)
{
    size_t *order = calloc(s->group->count, sizeof *order);
    if (order == NULL) {
        return;
    }
    const size_t count = open_runs(s);
    const uint32_t setups = setups_of(s);
    const uint32_t first = (uint32_t)((uint64_t)s->protocol->samples * s->setup / setups);
    const uint32_t end = (uint32_t)((uint64_t)s->protocol->samples * (s->setup + 1) / setups);
    const double budget_ms = s->protocol->max_time_s * 1e3 * (double)count / setups;
    const double energy_before = td_energy_now_j(s->engine);
    double elapsed_ms = 0.0;
    for (uint32_t round = first; round < end && elapsed_ms < budget_ms; round++) {
        if (open_runs(s) == 0) {
            break;
        }
        elapsed_ms += sample_round(s, order, round);
    }
    const double energy_after = td_energy_now_j(s->engine);
    for (size_t r = 0; r < s->group->count; r++) {
        td_result *result = &s->results[r];
        if (!is_open(s, r)) {
            continue;
        }
        read_telemetry(s->engine, &result->after);
        result->setups = s->setup + 1;
        td_rank_results_gather(s->engine, &s->group->runs[r], s->own_ms[r], result);
        /*
         * The counter ticks every few milliseconds and cannot tell the runs of a round apart: only a single run has an
         * energy, and only where it has the device of this process alone.
         */
        if (s->engine->ranks == NULL && count == 1 && setups == 1 && elapsed_ms > 200.0 &&
            energy_before >= 0.0 && energy_after >= 0.0 && result->sample_count > 0) {
            result->energy_j =
                (energy_after - energy_before) / ((double)result->sample_count * result->batch);
        }
    }
    free(order);
}

static void tell_window(void *context)
{
    const td_session *s = context;
    tell(s, s->in_energy, "energy");
}

static void measure_energy_all(td_session *s)
{
    const td_energy_observer observer = {s, tell_window};
    for (size_t r = 0; r < s->group->count; r++) {
        td_error error;
        if (!is_open(s, r) || s->results[r].sample_count == 0) {
            continue;
        }
        s->in_energy = r;
        tell(s, r, "energy");
        const td_execution execution =
            td_execution_of(&s->buffers, &s->group->runs[r], &s->plans[r]);
        const td_status status =
            td_energy_measure(s->engine, &execution, &observer, &s->results[r], &error);
        if (status != TD_OK) {
            engine_failed(s, r, status, &error);
        }
    }
}

static void release_setup(td_session *s)
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

/* What the last set-up has left would be taken again: part of it is kept from this one. NULL where that fails. */
static void *block_memory(const td_session *s)
{
    const td_run *run = largest_run(s);
    void *memory = NULL;
    td_error ignored;
    if (s->setup == 0 || run == NULL) {
        return NULL;
    }
    const uint64_t bytes = td_run_bytes(run) / setups_of(s) * s->setup;
    return s->engine->ops->allocate(s->engine, bytes + 1, &memory, &ignored) == TD_OK ? memory
                                                                                      : NULL;
}

static void run_setup(td_session *s)
{
    td_error error;
    void *blocked = block_memory(s);
    const td_status status = td_ranks_agree(s->engine->ranks, open_buffers(s, &error), &error);
    if (blocked != NULL) {
        s->engine->ops->release(s->engine, blocked);
    }
    for (size_t r = 0; status != TD_OK && r < s->group->count; r++) {
        if (is_open(s, r)) {
            fail_run(&s->results[r], status, &error);
        }
    }
    verify_all(s);
    warm_up_all(s);
    sample_all(s);
}

static void run_open(td_session *s)
{
    plan_all(s);
    for (s->setup = 0; s->setup < setups_of(s) && open_runs(s) > 0; s->setup++) {
        release_setup(s);
        run_setup(s);
    }
    if (s->protocol->energy) {
        measure_energy_all(s);
    }
    tell(s, 0, "clean up");
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
            fail_run(&results[r], TD_NO_MEMORY, &error);
        }
    }
    if (s.prepared != NULL) {
        release_setup(&s);
    }
    for (size_t r = 0; s.plans != NULL && r < group->count; r++) {
        td_plan_free(&s.plans[r]);
    }
    for (size_t r = 0; s.own_ms != NULL && r < group->count; r++) {
        free(s.own_ms[r]);
    }
    engine->share = NULL;
    free(s.own_ms);
    free(s.prepared);
    free(s.plans);
}
