/* drive.h - the state of a sweep, shared by the files that drive it. */
#pragma once

#include "crew.h"
#include "driver.h"
#include "engine/sweep/input.h"
#include "engine/sweep/sweep.h"
#include "engine/sweep/trial.h"
#include "progress.h"
#include "report/report.h"
#include "resume.h"
#include "run/worker/worker.h"

/* Times from the search for one map, used by the search for the next map with the same workload and N. */
typedef struct td_earlier {
    const td_group *space; /* NULL: there was none */
    double *ms, *small_ms; /* per run of the space, at N and at N / 4; NaN: not known */
} td_earlier;

/* Everything that a sweep holds open. */
typedef struct td_sweep_drive {
    td_options *options;
    double start_s; /* of the invocation */
    const td_engine_ops *engine;
    bool assumed; /* nobody has asked whether the engine is usable */
    td_input input;
    td_sweep sweep;    /* with --tune: all that can be tried, one group per target */
    td_done_set *done; /* from --resume; NULL: nothing is done */
    size_t done_count; /* runs of the sweep that are done */
    td_new_file dump;
    td_report *report; /* NULL until opened, on ranks other than 0, and for --dry-run in words */
    td_progress progress;
    td_worker *worker;
    td_ranks *ranks;                  /* NULL: without --ranks */
    char device[TD_CREW_DEVICE_SIZE]; /* of this rank */
    td_status worst;                  /* a run's first error: wrong, out of memory, failed */
    td_status trial_error;            /* likewise, of a search's trials */
    td_earlier earlier;               /* times that a search keeps for the next one */
} td_sweep_drive;

/* Whether this is rank 0, the only rank that writes results and messages. */
bool td_drive_is_first(const td_sweep_drive *d);

/* Note the exit status that a run asks for; the first one stands. */
void td_drive_note_worst(td_sweep_drive *d, td_status status);

/*
 * td_drive_group - run a group and report its results.
 *
 * Errors  those that end the sweep; a run's own failure is in its result and in d->worst
 */
td_status td_drive_group(td_sweep_drive *d, const td_group *group, td_error *error);

/* td_drive_tune - search a group of --tune and record its winner. Errors: as td_drive_group */
td_status td_drive_tune(td_sweep_drive *d, const td_group *space, td_error *error);
