/*
 * driver.h - run/ takes a sweep from its options to the last result: the runs are made, a worker is started, group
 * after group is run. Where results go and who is told is handed in: the engine knows no format and no terminal.
 */
#ifndef TD_RUN_DRIVER_H
#define TD_RUN_DRIVER_H

#include "engine/options/options.h"
#include "report/report.h"

/* Who is told how it goes. */
typedef struct td_watcher {
    void *context;
    void (*start)(void *context, const td_sweep *sweep, int verbosity);
    void (*phase)(void *context, const td_run *run, const char *phase);
    void (*result)(void *context, const td_run *run, const td_result *result);
    void (*writing)(void *context); /* the sink is about to write */
    void (*now)(void *context);     /* the user asks */
    void (*end)(void *context);
} td_watcher;

/* What an earlier --tune measured, for --resume. */
typedef struct td_memory {
    void *context;    /* NULL: nothing */
    size_t run_count; /* of the search's runs, those whose trial is done */
    bool (*trial)(void *context, td_trial *trial);
    bool (*is_tuned)(void *context, const td_group *space);
    void (*forget)(void *context);
} td_memory;

/* What the driver leaves to its caller. */
typedef struct td_drive_hooks {
    /* --resume: set `unrecorded` for the runs that an earlier sweep has done, and count those. */
    td_status (*resume)(const td_options *options, td_sweep *sweep, size_t *count, td_error *error);
    /* --resume of a --tune. */
    td_status (*remember)(const td_options *options, const td_sweep *space, td_memory *memory,
                          td_error *error);
    /* Make *sink; called when all else about the command line is right. Not for a --dry-run in words. */
    td_status (*open)(const td_options *options, td_sink *sink, td_error *error);
    /* --dry-run, in place of a worker; the sink is zeroed when it is in words. */
    td_status (*dry_run)(const td_options *options, const td_sweep *sweep, const td_sink *sink,
                         td_error *error);
    td_watcher watcher;
    char *const *argv; /* of main, NULL in a program that cannot be started again in its place */
} td_drive_hooks;

/*
 * td_drive - carry out the sweep, or the --dry-run, of a command line. Catches signals once an output is open.
 *
 * Input   options: --input replaces n and n_count
 * Errors  what is wrong with the command line, before anything is opened or measured; else that of the first run that
 *         did not succeed, or what ended the sweep. The results are in the sink all the same
 */
td_status td_drive(td_options *options, const td_drive_hooks *hooks, td_error *error);

#endif
