/*
 * drive.h - the state of a sweep, shared by the files that drive it.
 *
 * One process plans the sweep and watches another, which has the device, runs group after group and records each. A
 * fault on the device, a crash or a hang costs one run: the watcher notes it and starts another process for the rest.
 * Both have this struct; what they tell each other is in the memory that they share.
 */
#pragma once

#include <pthread.h>

#include "rank_start.h"
#include "driver.h"
#include "engine/bench/group.h"
#include "engine/sweep/input.h"
#include "engine/sweep/sweep.h"
#include "heartbeat.h"
#include "progress.h"
#include "report/report.h"
#include "resume.h"
#include "summary.h"

typedef struct td_sweep_drive {
    td_options *options;
    double start_s; /* of the invocation */
    const td_engine_ops *engine;
    bool assumed; /* nobody has asked whether the engine is usable */
    td_input input;
    td_sweep sweep;
    td_done_set *done; /* from --resume; NULL: nothing is done */
    td_new_file dump;
    td_ranks *ranks;                  /* NULL: without --ranks */
    char device[TD_RANK_DEVICE_SIZE]; /* of this rank */

    /* In shared memory. */
    td_report *report; /* NULL until opened, on ranks other than 0, and for --dry-run in words */
    td_heartbeat *heartbeat;
    td_result *results; /* of the runs of the group under way; samples are the worker's own */
    td_progress *progress;
    td_sweep_summary *summary;
    size_t results_bytes, summary_bytes;
} td_sweep_drive;

/* Whether this is rank 0, the only rank that writes results and messages. */
bool td_drive_is_first(const td_sweep_drive *d);

/* Allocate the shared memory for the sweep, and begin its first group. Errors: TD_NO_MEMORY */
td_status td_drive_share(td_sweep_drive *d, td_error *error);
void td_drive_unshare(td_sweep_drive *d);

/* The group under way; NULL: the sweep is over. */
const td_group *td_drive_group(const td_sweep_drive *d);

/* How many of its runs are still to be run. */
size_t td_drive_open_runs(const td_sweep_drive *d);

/*
 * td_drive_end_group - record the group under way, show its results, and begin the next.
 *
 * Errors  those of td_report_group, which end the sweep
 */
td_status td_drive_end_group(td_sweep_drive *d, td_error *error);

/* Forget the samples of the group, which were in the memory of a process that is gone. */
void td_drive_forget_samples(td_sweep_drive *d);

/* Print the plan and the skipped runs, once nothing can reject the command line any more. */
void td_drive_print_plan(const td_sweep_drive *d);
