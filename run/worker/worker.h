/*
 * worker.h - a process that owns the device and executes groups of runs.
 *
 * A fault on the device, a crash or a hang costs one run: the parent notes it, starts a new worker and goes on with the
 * rest of the group. The parent itself never touches the engine.
 */
#pragma once

#include "engine/bench/group.h"
#include "report/report.h"
#include "run/progress.h"

typedef struct td_worker td_worker;

typedef struct td_worker_config {
    const td_engine_ops *ops;
    td_engine_config engine_config;
    const td_sweep *sweep; /* all that it may be asked to run */
    td_protocol protocol;  /* of the first groups, see td_worker_set_protocol */
    double timeout_s;      /* per phase of a run, where a sample is a phase; 0: none */
    td_output_files files;
    td_progress *progress; /* NULL: not shown, as on ranks other than 0 */

    /* --ranks: there is no other process; this one runs the groups. */
    td_ranks *ranks;
    /* The process may have to end in the middle of a group: it then reports what was measured, and where the time went
     * since start_s. */
    td_report *report;
    double start_s; /* of the invocation */
} td_worker_config;

/*
 * td_worker_open - start the process, open the engine in it and receive its environment.
 *
 * Errors  those of the engine's open (TD_UNAVAILABLE: no device); TD_FAILED: no process can be started
 */
td_status td_worker_open(const td_worker_config *config, td_worker **worker,
                         td_environment *environment, td_error *error);

/*
 * td_worker_group - run a group.
 *
 * Input   results[group->count]: zeroed; a run that is not to be run has a status other than TD_RUN_OK
 * Output  results, each with its own status and reason; TD_RUN_INTERRUPTED when the user stopped
 * Errors  TD_FAILED, TD_UNAVAILABLE: no worker can be started any more; the open runs have failed with that reason, and
 *         no later group can run
 */
td_status td_worker_group(td_worker *worker, const td_group *group, td_result *results,
                          td_error *error);

/* Set the protocol of the following groups. */
void td_worker_set_protocol(td_worker *worker, const td_protocol *protocol);

/* Time spent in the phases so far, including those of lost workers; the caller fills in wall_s. NULL: no time. */
td_timing td_worker_timing(const td_worker *worker);

void td_worker_close(td_worker *worker);
