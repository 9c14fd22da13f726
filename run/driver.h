/*
 * driver.h - run/ carries out a sweep: the state that its files share, and what main calls.
 *
 * One process plans the sweep and watches another, which has the device, runs group after group and records each. A
 * fault on the device, a crash or a hang costs one run: the watcher notes it and starts another process for the rest.
 * They share the memory of this struct, so that each goes on where the other has stopped.
 */
#pragma once

#include "engine/bench/group.h"
#include "engine/options/options.h"
#include "engine/sweep/input.h"
#include "engine/sweep/sweep.h"
#include "progress.h"
#include "report/report.h"
#include "resume.h"

/* A phase in which records are written. It has no time limit, and is not cut short. */
#define TD_PHASE_WRITE "output"

/* What the process that has the device says about itself. */
typedef struct td_heartbeat {
    bool ready;       /* the device is open, in this process */
    bool recorded;    /* the environment is in the report: some process was ready */
    bool told;        /* a result says which run broke the device */
    bool finished;    /* nothing is left to do, or an error has ended the sweep */
    td_status status; /* that error, or why the device did not open */
    td_error error;
    td_status worst;  /* a run's first error: wrong, out of memory, failed */
    size_t group;     /* under way; those before it are recorded */
    size_t run;       /* of the group: the last that began a phase */
    char phase[24];   /* "": nothing that could hang */
    double since_s;   /* when the phase began */
    td_timing timing; /* time spent in phases that are over; of other kinds it is the host's time */
} td_heartbeat;

typedef struct td_sweep_drive {
    td_options *options;
    double start_s; /* of the invocation */
    const td_engine_ops *engine;
    bool assumed; /* nobody has asked whether the engine is usable */
    td_input input;
    td_sweep sweep;
    td_done_set done; /* from --resume */
    td_new_file dump;
    td_ranks *ranks;   /* NULL: without --ranks */
    char device[16];   /* of this rank: its ordinal; empty if there is none */
    td_report *report; /* NULL until opened, and for --dry-run in words */
    td_heartbeat heartbeat;
    td_progress progress;
    td_result *results; /* of the runs of the group under way; samples are the worker's own */
} td_sweep_drive;

/* Whether this is rank 0, the only rank that writes results and messages. */
bool td_drive_is_first(const td_sweep_drive *d);

/* Begin the first group of the sweep. Errors: TD_NO_MEMORY */
td_status td_drive_begin(td_sweep_drive *d, td_error *error);

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

/* Print how many runs are done, once nothing can reject the command line any more. */
void td_drive_print_plan(const td_sweep_drive *d);

/* End the current phase, which gets the time up to now, and begin the next. */
void td_drive_enter(td_sweep_drive *d, size_t run, const char *phase);

/* Let no further phase begin in this process. */
void td_drive_hold(void);

/*
 * td_watch - run the sweep to its end, in a process of its own, and watch it.
 *
 * Output  heartbeat: how far it came; runs that were lost have failed, those that were stopped are interrupted
 * Errors  why the device did not open, or could not be opened again; those of td_report_group
 */
td_status td_watch(td_sweep_drive *d, td_error *error);

/*
 * td_work - the work of that process: open the device, run and record the groups from the one under way on.
 *
 * The first process that has the device open also describes it, checks it against --resume, and records it. Returns
 * when the sweep is over, with heartbeat->finished, or when a signal asks to stop. Errors are in the heartbeat.
 *
 * Input   broken: called when the device is unusable after a failure, which is in the run's result; does not return
 */
void td_work(td_sweep_drive *d, void (*broken)(void *drive, size_t run, const td_result *result));

/*
 * td_rank_start - with --ranks, join the other ranks, which must have the same program, engine and command line.
 *
 * Output  ranks, device; options: part, part_count
 * Errors  TD_USAGE: built without MPI, or ranks that differ; TD_FAILED
 */
td_status td_rank_start(td_sweep_drive *d, td_error *error);

/* Threads of the cpu engine on this rank; 0: all available. */
uint32_t td_rank_threads(const td_sweep_drive *d);

/*
 * td_drive - carry out the sweep, or the --dry-run, of a command line. Catches signals once an output is open.
 *
 * Input   options: --ranks fills in the part of this process
 * Errors  what is wrong with the command line, before anything is opened or measured; else the error of the first run
 *         that did not succeed, or the one that ended the sweep. The report has the results anyway
 */
td_status td_drive(td_options *options, td_error *error);
