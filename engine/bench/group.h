/* group.h - one group of runs, from planning to samples. */
#pragma once

#include "engine/io/file.h"
#include "engine/prepare/buffers.h"

/* Where a group reports its progress, which may end the worker, and where its output goes. */
typedef struct td_observer {
    void *context;
    /* A run of the group starts a phase ("verify", "output", "warm up", "sample", "energy",
     * "clean up"): a crash is attributed to the last phase reported. */
    void (*phase)(void *context, size_t run, const char *phase);
    /* After a failure of this run the engine is unusable (its result says why); NULL: go on and fail. */
    void (*broken)(void *context, size_t run, const td_result *result);
    td_new_file *dump; /* --dump: where the output of the run goes; NULL: nowhere */
    uint32_t every;    /* --dump FILE.npy:K: generations between states; 0: one output */
} td_observer;

/*
 * td_group_run - plan, allocate, verify, warm up and sample all runs of a group.
 *
 * Input   results[group->count]: zeroed; runs whose status is not TD_RUN_OK are left alone
 * Output  results: status, reason, all measurements and their summary; samples are allocated, see td_result_free
 * Errors  none: failures are in the results
 */
void td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                  const td_observer *observer, td_result *results);

/* Record that a run failed, and why. */
void td_fail_run(td_result *result, td_status status, const td_error *error);

/* Add to a reason what a cell of a workload from a file may read and write: it has crashed or broken the device. */
void td_tell_bounds(const td_run *run, td_result *result);

/*
 * td_group_summarise - the summary of each run's samples, and of its improvement over the baseline.
 *
 * td_group_run has done this. Without memory for it, a run has failed.
 */
void td_group_summarise(const td_group *group, td_result *results);
