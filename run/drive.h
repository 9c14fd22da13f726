/* drive.h - a sweep under way: what the files that drive it share. */
#ifndef TD_RUN_DRIVE_H
#define TD_RUN_DRIVE_H

#include "crew.h"
#include "driver.h"
#include "engine/sweep/input.h"
#include "engine/sweep/sweep.h"
#include "progress.h"
#include "report/report.h"
#include "resume.h"
#include "run/worker/keeper.h"
#include "run/worker/worker.h"
#include "tune.h"

/* Everything that a sweep holds open. */
typedef struct td_sweep_drive {
    td_options *options;
    double start_s; /* of the invocation */
    const td_engine_ops *engine;
    td_input input;
    td_sweep sweep;    /* of --tune: all that can be tried, a group for each target */
    td_done_set *done; /* of --resume; NULL: nothing is */
    size_t done_count; /* of the runs of the sweep */
    td_new_file dump;
    td_report
        *report; /* NULL until it is opened, in ranks other than 0, and for a --dry-run in words */
    td_progress progress;
    td_keeper *keeper; /* of the clocks; NULL: they are not locked */
    td_worker *worker;
    td_ranks *ranks;                  /* NULL: this process is on its own */
    char device[TD_CREW_DEVICE_SIZE]; /* of this rank */
    td_status worst;                  /* the first of wrong, out of memory, failed */
    td_status trial_error;            /* of a search, likewise */
    td_earlier earlier;               /* what a search knows from the one before */
} td_sweep_drive;

/* Rank 0 alone writes and tells. */
bool td_drive_is_first(const td_sweep_drive *d);

/* Whether the sweep is to end, asked between samples; `context` is a td_sweep_drive. */
bool td_drive_stopped(void *context);

/* The exit status that a run asks for: the first one stands. */
void td_drive_note_worst(td_sweep_drive *d, td_status status);

/*
 * td_drive_group - run a group and report its results.
 *
 * Errors  what ends the sweep; what a run fails with is in its result and in d->worst
 */
td_status td_drive_group(td_sweep_drive *d, const td_group *group, td_error *error);

/* td_drive_tune - search a group of --tune and record its winner. Errors: as td_drive_group */
td_status td_drive_tune(td_sweep_drive *d, const td_group *space, td_error *error);

#endif
