/*
 * null.c - an engine that executes nothing, so that only the program's own work is left of a sweep.
 *
 * Its runs are recorded as `ok`. `verified` is none, since there is no output to check. Every sample takes 0 ms, so
 * rates and improvements are unknown (null).
 */
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/host.h"
#include "row.h"

struct td_prepared {
    char nothing;
};

static td_status null_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    (void)config;
    td_engine *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory to open the null engine");
    }
    opened->ops = &td_null_ops;
    *engine = opened;
    return TD_OK;
}

/* Without a verification, only for --dump. */
static td_status null_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    (void)engine;
    return td_fail(error, TD_FAILED, "the null engine computes no output of %s",
                   execution->workload->name);
}

static td_status null_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                              bool graph, td_prepared **prepared, td_error *error)
{
    (void)engine;
    (void)execution;
    (void)batch;
    (void)graph;
    *prepared = malloc(sizeof **prepared);
    return *prepared != NULL ? TD_OK : td_fail(error, TD_NO_MEMORY, "not enough memory for a run");
}

static td_status null_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                             td_error *error)
{
    (void)engine;
    (void)prepared;
    (void)error;
    *batch_ms = 0.0;
    return TD_OK;
}

static void null_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    free(prepared);
}

static void null_close(td_engine *engine)
{
    free(engine);
}

const td_engine_ops td_null_ops = {
    .name = "null",
    .summary = "executes nothing, in no time",
    .open = null_open,
    .free_memory = td_host_free_memory,
    .allocate = td_host_allocate,
    .upload = td_host_copy,
    .launch = null_launch,
    .download = td_host_copy,
    .prepare = null_prepare,
    .sample = null_sample,
    .discard = null_discard,
    .release = td_host_release,
    .close = null_close,
};
