/* worker_process.c - the worker's side: opens the engine, runs groups, reports phases and results. */
#include "worker_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/bench/energy.h"
#include "engine/bench/peaks.h"
#include "engine/core/error.h"
#include "engine/core/pipe.h"
#include "engine/needs/loading.h"
#include "engine/needs/start.h"

typedef struct child {
    int to_parent;
    const td_worker_config *config;
} child;

/* A parent that gets no message would wait forever, so exit: the parent notices that. */
static void send(int to_parent, const void *data, size_t size)
{
    if (!td_pipe_put(to_parent, data, size)) {
        _exit(1);
    }
}

static void send_phase(void *context, size_t run, const char *phase)
{
    td_message m = {.kind = TD_MESSAGE_PHASE, .run = run};
    snprintf(m.phase, sizeof m.phase, "%s", phase);
    send(((child *)context)->to_parent, &m, sizeof m);
}

static void send_result(const child *c, size_t run, const td_result *result)
{
    const td_message m = {.kind = TD_MESSAGE_RESULT, .run = run, .result = *result};
    send(c->to_parent, &m, sizeof m);
    send(c->to_parent, result->sample_ms, result->sample_count * sizeof *result->sample_ms);
}

/* The engine is unusable: report the run that broke it and exit; the parent starts a new worker. */
static void send_broken(void *context, size_t run, const td_result *result)
{
    send_result(context, run, result);
    _exit(0);
}

/* Receive the runs that follow a request, then their results, whose statuses say which runs are wanted. */
static bool receive_group(int from_parent, const td_group *group, td_result *results, bool *wanted)
{
    if (!td_pipe_get(from_parent, group->runs, group->count * sizeof *group->runs) ||
        !td_pipe_get(from_parent, results, group->count * sizeof *results)) {
        return false;
    }
    /* from an earlier attempt, keep only the statuses */
    for (size_t r = 0; r < group->count; r++) {
        results[r] = (td_result){.status = results[r].status};
        wanted[r] = results[r].status == TD_RUN_OK;
    }
    return true;
}

static void run_group(const child *c, td_engine *engine, const td_request *request,
                      const td_group *group, td_result *results, const bool *wanted)
{
    const td_observer observer = {.context = (void *)(uintptr_t)c,
                                  .phase = send_phase,
                                  .broken = send_broken,
                                  .files = c->config->files};
    td_group_run(engine, &request->protocol, group, &observer, results);
    for (size_t r = 0; r < group->count; r++) {
        if (wanted[r]) {
            send_result(c, r, &results[r]);
        }
        td_result_free(&results[r]);
    }
    const td_message done = {.kind = TD_MESSAGE_DONE};
    send(c->to_parent, &done, sizeof done);
}

static void serve_group(const child *c, td_engine *engine, const td_request *request,
                        int from_parent)
{
    const td_group group = {calloc(request->count, sizeof(td_run)), request->count};
    td_result *results = calloc(request->count, sizeof *results);
    bool *wanted = calloc(request->count, sizeof *wanted);
    if (group.runs == NULL || results == NULL || wanted == NULL ||
        !receive_group(from_parent, &group, results, wanted)) {
        _exit(1);
    }
    run_group(c, engine, request, &group, results, wanted);
    free(wanted);
    free(results);
    free(group.runs);
}

void td_worker_serve(const td_worker_config *config, bool measure, int from_parent, int to_parent)
{
    const child c = {to_parent, config};
    td_engine *engine = NULL;
    td_message opened = {.kind = TD_MESSAGE_OPENED};
    td_request wanted;
    const td_engine_ops *ops = config->ops;
    opened.status = ops->open(&config->engine_config, &engine, &opened.error);
    if (opened.status == TD_OK) {
        opened.status = td_load_own(engine, config->sweep, &opened.error);
    }
    if (opened.status == TD_OK) {
        td_engine_describe(engine, &opened.environment);
    }
    if (opened.status == TD_OK && measure && config->protocol.energy) {
        td_energy_idle(engine, 1.0, &opened.environment);
    }
    if (opened.status == TD_OK && measure && config->protocol.sampling != TD_SAMPLING_ONCE) {
        opened.status = td_peaks_measure(engine, config->sweep, &opened.environment, &opened.error);
    }
    send(to_parent, &opened, sizeof opened);
    while (opened.status == TD_OK && td_pipe_get(from_parent, &wanted, sizeof wanted)) {
        serve_group(&c, engine, &wanted, from_parent);
    }
    if (engine != NULL) {
        td_start_forget();
        ops->close(engine);
    }
}
