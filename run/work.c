#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/bench/energy.h"
#include "engine/bench/race.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/signals.h"
#include "engine/prepare/planning.h"
#include "engine/prepare/start.h"

typedef struct work {
    td_sweep_drive *d;
    td_engine *engine;
    td_races races; /* of --tune */
    td_observer observer;
} work;

/* ---- the device ---- */

/* Two ranks that share a GPU get half of it each; the record then has the caveat of a shared one. */
static td_status check_devices(td_sweep_drive *d, const td_environment *environment, bool *shared,
                               td_error *error)
{
    const uint32_t count = td_ranks_count(d->ranks);
    const td_digest host = td_digest_word((td_digest){0}, environment->host);
    const uint64_t own = td_digest_word(host, environment->gpu_uuid).low;
    uint64_t *all = NULL;
    const td_status room = td_allocate(&all, count, sizeof *all, error, "the devices of all ranks");
    const td_status status = td_ranks_agree(d->ranks, room, error);
    if (status == TD_OK && environment->has_gpu) {
        td_ranks_gather(d->ranks, &own, all, sizeof own);
        for (uint32_t a = 0; a < count; a++) {
            for (uint32_t b = a + 1; b < count; b++) {
                *shared = *shared || all[a] == all[b];
            }
        }
    }
    if (*shared && td_drive_is_first(d)) {
        td_say("warning: ranks share a GPU");
    }
    free(all);
    return status;
}

static td_status join_ranks(td_sweep_drive *d, td_engine *engine, const td_environment *environment,
                            td_error *error)
{
    bool shared = false;
    if (d->ranks == NULL) {
        return TD_OK;
    }
    TRY(check_devices(d, environment, &shared, error));
    if (engine->ops->join != NULL && !shared && td_ranks_count(d->ranks) > 1) {
        return td_ranks_agree(d->ranks, engine->ops->join(engine, &engine->transport, error),
                              error);
    }
    return TD_OK;
}

/* Executions of runs that have no buffers yet. */
typedef struct planned {
    td_plan *plans;
    td_execution *executions; /* two for each plan, at most */
    size_t plan_count, count;
} planned;

/* A run's execution and, of a map from a file, the one that counts its visits. A run that cannot be planned is left
 * out; it fails when its turn comes. */
static void add_run(const td_run *run, planned *to)
{
    td_plan *plan = &to->plans[to->plan_count];
    td_buffers none = {.workload = run->workload, .problem = td_run_problem(run)};
    if (run->skip[0] != '\0' || td_run_plan(run, true, plan, NULL) != TD_OK) {
        return;
    }
    to->plan_count++;
    to->executions[to->count++] = td_execution_of(&none, run, plan);
    if (run->strategy->own != NULL) {
        none.workload = td_workload_that_counts(run->workload->dimension);
        to->executions[to->count++] = td_execution_of(&none, run, plan);
    }
}

/* Load, for workloads and maps from files, exactly the kernels that the runs of the sweep launch. */
static td_status load_own(td_engine *engine, const td_sweep *sweep, td_error *error)
{
    planned all = {0};
    td_status status = td_allocate(&all.plans, sweep->run_count, sizeof *all.plans, error, "plans");
    if (status == TD_OK) {
        status = td_allocate(&all.executions, 2 * sweep->run_count, sizeof *all.executions, error,
                             "plans");
    }
    for (size_t r = 0; status == TD_OK && r < sweep->run_count; r++) {
        const td_run *run = &sweep->runs[r];
        if (run->workload->own != NULL || run->strategy->own != NULL) {
            add_run(run, &all);
        }
    }
    if (all.count > 0 && engine->ops->load != NULL) {
        status = engine->ops->load(engine, all.executions, all.count, error);
    }
    while (all.plan_count > 0) {
        td_plan_free(&all.plans[--all.plan_count]);
    }
    free(all.plans);
    free(all.executions);
    return status;
}

static td_status open_engine(td_sweep_drive *d, td_engine **engine, td_error *error)
{
    const td_engine_config config = {
        .device = d->device[0] != '\0' ? d->device : d->options->device,
        .threads = td_rank_threads(d),
        .one_queue = d->ranks == NULL && !td_sweep_has_trees(&d->sweep)};
    TRY(td_ranks_agree(d->ranks, d->engine->open(&config, engine, error), error));
    (*engine)->ranks = d->ranks;
    (*engine)->transport = d->ranks != NULL ? "mpi" : NULL;
    return td_ranks_agree(d->ranks, load_own(*engine, &d->sweep, error), error);
}

/* Whether a run has data that no cache of the device can hold. A rate of memory says nothing about the others. */
static bool has_large_run(const td_sweep *sweep, uint64_t cache_bytes)
{
    bool has = false;
    for (size_t r = 0; r < sweep->run_count && !has; r++) {
        const td_run *run = &sweep->runs[r];
        has = run->skip[0] == '\0' && td_workload_bytes(run->workload, &run->problem) > cache_bytes;
    }
    return has;
}

/* Only rank 0 measures, and is checked against --resume: the record describes its machine, and ranks that measure at
 * once would disturb each other. */
static td_status measure_peaks(const td_sweep_drive *d, td_engine *engine,
                               td_environment *environment, td_error *error)
{
    char device[TD_DEVICE_SIZE];
    if (!td_drive_is_first(d)) {
        return TD_OK;
    }
    td_device_of(environment, device);
    TRY(td_done_check_device(&d->done, device, error));
    if (d->options->protocol.sampling == TD_SAMPLING_ONCE) {
        return TD_OK;
    }
    if (d->options->protocol.energy) {
        td_energy_idle(engine, 1.0, environment);
    }
    const bool is_large =
        has_large_run(&d->sweep, engine->ops->can.device_memory ? environment->l2_bytes
                                                                : environment->cpu_cache_bytes);
    return is_large && engine->ops->peak_bandwidth != NULL
               ? engine->ops->peak_bandwidth(engine, environment, error)
               : TD_OK;
}

static td_status record_environment(td_sweep_drive *d, td_engine *engine, td_error *error)
{
    td_environment environment = {0};
    td_engine_describe(engine, &environment);
    TRY(td_ranks_agree(d->ranks, measure_peaks(d, engine, &environment, error), error));
    TRY(join_ranks(d, engine, &environment, error));
    return td_ranks_agree(d->ranks, td_report_environment(d->report, &environment, error), error);
}

static td_status open_device(td_sweep_drive *d, td_engine **engine, td_error *error)
{
    td_drive_enter(d, 0, "opening the device");
    TRY(open_engine(d, engine, error));
    if (!d->heartbeat.recorded) {
        TRY(record_environment(d, *engine, error));
        td_drive_print_plan(d);
    }
    d->heartbeat.recorded = true;
    d->heartbeat.ready = true;
    td_drive_enter(d, 0, "setting up");
    return TD_OK;
}

/* ---- groups ---- */

static void enter_phase(void *context, size_t run, const char *phase)
{
    td_sweep_drive *d = context;
    td_drive_enter(d, run, phase);
    if (strcmp(phase, "verify") == 0 && d->results[run].started_unix_s == 0.0) {
        d->results[run].started_unix_s = td_unix_s();
    }
    if (td_drive_is_first(d)) {
        td_progress_phase(&d->progress, &td_drive_group(d)->runs[run], phase);
    }
}

static td_status run_group(work *w, td_error *error)
{
    td_sweep_drive *d = w->d;
    const td_group *group = td_drive_group(d);
    const td_protocol *protocol = &d->options->protocol;
    td_drive_enter(d, 0, "setting up");
    if (td_drive_open_runs(d) > 0 && d->options->tune) {
        td_race_run(w->engine, protocol, group, &w->observer, &w->races, d->results);
    } else if (td_drive_open_runs(d) > 0) {
        td_group_run(w->engine, protocol, group, &w->observer, d->results);
    }
    const td_status status = td_drive_end_group(d, error);
    if (d->ranks != NULL && td_drive_is_first(d)) { /* the others cannot know how long it writes */
        td_drive_enter(d, 0, "waiting for ranks");
    }
    return td_ranks_agree(d->ranks, status, error);
}

void td_work(td_sweep_drive *d, void (*broken)(void *drive, size_t run, const td_result *result))
{
    td_heartbeat *h = &d->heartbeat;
    work w = {.d = d,
              .observer = {.context = d,
                           .phase = enter_phase,
                           .broken = broken,
                           .dump = d->options->dump != NULL ? &d->dump : NULL,
                           .every = d->options->every}};
    h->status = open_device(d, &w.engine, &h->error);
    while (h->status == TD_OK && td_drive_group(d) != NULL && td_signals_stop() == 0) {
        h->status = run_group(&w, &h->error);
    }
    td_drive_enter(d, 0, "");
    h->finished = true;
    td_races_forget(&w.races);
    if (w.engine != NULL) {
        td_start_forget();
        w.engine->ops->close(w.engine);
    }
}
