/* group.h - one group of runs, from planning to samples. */
#ifndef TD_ENGINE_BENCH_GROUP_H
#define TD_ENGINE_BENCH_GROUP_H

#include "engine/core/pulse.h"
#include "engine/needs/buffers.h"

/* Told what is being done, and able to stop it. */
typedef struct td_observer {
    void *context;
    /* A run of the group starts a phase ("verify", "output", "warm up", "sample", "energy",
     * "clean up"): a crash is blamed on the last. */
    void (*phase)(void *context, size_t run, const char *phase);
    /* The engine is beyond use after a failure of this run (its result says why); NULL: go on and fail. */
    void (*broken)(void *context, size_t run, const td_result *result);
    /* The output of a verified run, for --dump; NULL: nobody wants it. */
    td_status (*output)(void *context, const td_run *run, td_buffers *buffers,
                        const td_pulse *pulse, td_error *error);
} td_observer;

/*
 * td_group_run - plan, allocate, verify, warm up and sample all runs of a group.
 *
 * Input   results[group->count]: zeroed; those with another status than TD_RUN_OK are left alone
 * Output  results: status, reason and all that was measured; samples are allocated, see td_result_free
 * Errors  none of its own: what fails is in the results
 */
void td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                  const td_observer *observer, td_result *results);

#endif
