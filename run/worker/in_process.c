/* in_process.c - groups that this process runs itself, and the thread that watches it. */
#include "in_process.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/bench/peaks.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/signals.h"
#include "engine/needs/loading.h"
#include "engine/needs/start.h"
#include "phases.h"

/* The other ranks time out this much later, so that rank 0, which has a result to write, sees the timeout itself. */
static const double grace_s = 2.0;
static const double opening_s = 120.0; /* a device that takes longer never opens */

struct td_in_process {
    td_worker_config config;
    td_engine *engine;
    pthread_t watcher;
    pthread_mutex_t lock; /* of everything below */
    bool watching, opening, closing;
    const td_group *group; /* NULL between groups */
    td_result *results;
    size_t run;
    td_phases phases;
};

static void enter_phase(td_in_process *p, size_t run, const char *phase)
{
    pthread_mutex_lock(&p->lock);
    td_phases_enter(&p->phases, phase);
    p->run = run;
    if (p->results != NULL && td_phase_is_first(phase)) {
        p->results[run].started_unix_s = td_unix_s();
    }
    pthread_mutex_unlock(&p->lock);
}

/* ---- the process has to end ---- */

/* The run that hung has failed; the others of its group were interrupted. */
static void settle(td_in_process *p, bool timed_out)
{
    for (size_t r = 0; r < p->group->count; r++) {
        td_result *result = &p->results[r];
        if (result->status != TD_RUN_OK) {
            continue;
        }
        result->sample_count = 0;
        if (timed_out && r == p->run) {
            result->status = TD_RUN_FAILED;
            result->error = TD_FAILED;
            snprintf(result->reason, sizeof result->reason,
                     "did not finish within --timeout %g s (%s)", p->config.timeout_s,
                     p->phases.name);
        } else {
            result->status = TD_RUN_INTERRUPTED;
            snprintf(result->reason, sizeof result->reason, "interrupted");
        }
    }
}

/* Report what was measured. The caller holds the lock. */
static void close_report(td_in_process *p)
{
    char name[sizeof p->phases.name];
    memcpy(name, p->phases.name, sizeof name);
    td_phases_enter(&p->phases, name); /* count the time of the current phase, too */
    td_timing timing = p->phases.timing;
    timing.wall_s = td_now_s() - p->config.start_s;
    td_error error;
    if (p->group != NULL) {
        (void)td_report_group(p->config.report, p->group, p->results, &error);
    }
    if (td_report_close(p->config.report, &timing, &error) != TD_OK) {
        td_say("%s", error.text);
    }
}

/* Never returns and keeps the lock: the main thread hangs where it hangs, or waits for the lock at its next phase. */
static void end(td_in_process *p, bool timed_out)
{
    const int stopped_by = td_signals_stop();
    const uint32_t rank = td_ranks_index(p->config.ranks);
    if (p->group != NULL) {
        settle(p, timed_out);
    }
    close_report(p);
    if (rank > 0 && !timed_out) { /* let rank 0 write first: the launcher kills it when we exit */
        const struct timespec grace = {.tv_sec = 1};
        nanosleep(&grace, NULL);
    }
    if (timed_out) {
        td_say("rank %u: did not finish within --timeout %g s (%s)", rank, p->config.timeout_s,
               p->phases.name);
    } else if (rank == 0) {
        td_say("stopped by %s: what was measured is in the result", td_signals_name(stopped_by));
    }
    fflush(NULL);
    _exit(timed_out ? TD_FAILED : 128 + stopped_by);
}

static void look(td_in_process *p)
{
    const double wanted_s = p->config.timeout_s;
    const double limit_s = p->opening ? fmax(wanted_s, opening_s) : wanted_s;
    const double grace = td_ranks_index(p->config.ranks) == 0 ? 0.0 : grace_s;
    const bool busy = p->opening || p->group != NULL; /* else the driver sees the signal itself */
    if (td_progress_stopped(p->config.progress) && busy) {
        end(p, false);
    }
    if (busy && wanted_s > 0.0 && td_now_s() - p->phases.start_s > limit_s + grace) {
        end(p, true);
    }
}

static void *watch(void *context)
{
    td_in_process *p = context;
    const struct timespec pause = {.tv_nsec = 50000000};
    for (bool closing = false; !closing;) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&p->lock);
        closing = p->closing;
        if (!closing) {
            look(p);
        }
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

/* ---- a rank ---- */

/* Two ranks that share a GPU get half of it each; the record then has the caveat of a shared one. */
static td_status check_devices(const td_in_process *p, const td_environment *environment,
                               bool *shared, td_error *error)
{
    struct {
        char host[128], uuid[64];
    } own = {"", ""}, *all = NULL;
    td_ranks *ranks = p->config.ranks;
    const uint32_t count = td_ranks_count(ranks);
    all = calloc(count, sizeof *all);
    td_status status = td_ranks_agree(ranks, all != NULL ? TD_OK : TD_NO_MEMORY, error);
    if (status != TD_OK || all == NULL) {
        free(all);
        return status;
    }
    snprintf(own.host, sizeof own.host, "%s", environment->host);
    snprintf(own.uuid, sizeof own.uuid, "%s", environment->gpu_uuid);
    td_ranks_gather(ranks, &own, all, sizeof own);
    *shared = false;
    for (uint32_t a = 0; a < count && status == TD_OK; a++) {
        for (uint32_t b = a + 1; b < count && own.uuid[0] != '\0' && status == TD_OK; b++) {
            const bool same = memcmp(&all[a], &all[b], sizeof own) == 0;
            *shared = *shared || same;
            if (same && td_ranks_index(ranks) == 0) {
                td_say("warning: ranks %u and %u share the GPU %s of %s", a, b, all[a].uuid,
                       all[a].host);
            }
        }
    }
    free(all);
    return status;
}

static td_status open_engine(td_in_process *p, td_environment *environment, td_error *error)
{
    const td_engine_ops *ops = p->config.ops;
    td_ranks *ranks = p->config.ranks;
    bool shared = false;
    td_status status = ops->open(&p->config.engine_config, &p->engine, error);
    TRY(td_ranks_agree(ranks, status, error));
    p->engine->ranks = ranks;
    p->engine->transport = "mpi";
    status = td_load_own(p->engine, p->config.sweep, error);
    TRY(td_ranks_agree(ranks, status, error));
    td_engine_describe(p->engine, environment);
    /* only rank 0: the record describes its machine, and ranks that measure at once would disturb each other */
    const bool measures =
        td_ranks_index(ranks) == 0 && p->config.protocol.sampling != TD_SAMPLING_ONCE;
    status = measures ? td_peaks_measure(p->engine, p->config.sweep, environment, error) : TD_OK;
    TRY(td_ranks_agree(ranks, status, error));
    TRY(check_devices(p, environment, &shared, error));
    if (ops->join != NULL && !shared && td_ranks_count(ranks) > 1) {
        status = ops->join(p->engine, &p->engine->transport, error);
        TRY(td_ranks_agree(ranks, status, error));
    }
    return TD_OK;
}

td_status td_in_process_open(const td_worker_config *config, td_in_process **rank,
                             td_environment *environment, td_error *error)
{
    td_in_process *p = NULL;
    TRY(td_allocate(&p, 1, sizeof *p, error, "a rank"));
    p->config = *config;
    pthread_mutex_init(&p->lock, NULL);
    enter_phase(p, 0, "opening the device");
    p->opening = true;
    p->watching = pthread_create(&p->watcher, NULL, watch, p) == 0;
    const td_status status = open_engine(p, environment, error);
    pthread_mutex_lock(&p->lock);
    p->opening = false;
    pthread_mutex_unlock(&p->lock);
    if (status != TD_OK) {
        td_in_process_close(p);
        return status;
    }
    *rank = p;
    return TD_OK;
}

/* ---- a group ---- */

static void tell_phase(void *context, size_t run, const char *phase)
{
    td_in_process *p = context;
    enter_phase(p, run, phase);
    if (p->config.progress != NULL) {
        td_progress_phase(p->config.progress, &p->group->runs[run], p->phases.name);
    }
}

/* This rank, and therefore every rank, can compute nothing more: report what was measured and exit. */
static void fail_all(void *context, size_t run, const td_result *result)
{
    td_in_process *p = context;
    pthread_mutex_lock(&p->lock);
    (void)run;
    settle(p, false);
    close_report(p);
    td_say("rank %u: %s", td_ranks_index(p->config.ranks), result->reason);
    fflush(NULL);
    _exit(TD_FAILED);
}

static void set_group(td_in_process *p, const td_group *group, td_result *results)
{
    pthread_mutex_lock(&p->lock);
    p->group = group;
    p->results = results;
    p->run = 0;
    p->phases.start_s = td_now_s();
    pthread_mutex_unlock(&p->lock);
}

void td_in_process_group(td_in_process *p, const td_protocol *protocol, const td_group *group,
                         td_result *results)
{
    const td_observer observer = {
        .context = p, .phase = tell_phase, .broken = fail_all, .files = p->config.files};
    set_group(p, group, results);
    td_group_run(p->engine, protocol, group, &observer, results);
    enter_phase(p, 0, "");
    set_group(p, NULL, NULL);
}

td_timing td_in_process_timing(const td_in_process *p)
{
    return p->phases.timing;
}

void td_in_process_close(td_in_process *p)
{
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_mutex_unlock(&p->lock);
    if (p->watching) {
        pthread_join(p->watcher, NULL);
    }
    if (p->engine != NULL) {
        td_start_forget();
        p->engine->ops->close(p->engine);
    }
    pthread_mutex_destroy(&p->lock);
    free(p);
}
