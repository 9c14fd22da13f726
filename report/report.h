/*
 * report.h - results in, a document out: json, jsonl, csv or table, to a file or to standard output.
 *
 * The order of calls: open, shard if it is one, environment, group..., timing, close. A report closed without an
 * environment leaves no trace. It is a td_sink, hence a report as the `context` of its functions.
 */
#ifndef TD_REPORT_REPORT_H
#define TD_REPORT_REPORT_H

#include "engine/options/options.h"
#include "engine/sweep/trial.h"

/* Where results go. */
typedef struct td_sink {
    void *context;
    /* Which part of a larger sweep this is; before all else, and only for a shard. The sweep outlives the sink. May be
     * NULL. */
    void (*shard)(void *context, const td_sweep *sweep);
    /* Where the runs take place; once, before the first group. */
    td_status (*environment)(void *context, const td_environment *environment, td_error *error);
    /* The runs of a group, whatever became of them. */
    td_status (*group)(void *context, const td_group *group, const td_result *results,
                       td_error *error);
    /* --tune: a measurement of the search, as soon as it is made; and all that was tried for one workload, strategy and
     * N, behind the group of the winner. */
    td_status (*trial)(void *context, const td_trial *trial, td_error *error);
    td_status (*tuning)(void *context, const td_tuning *tuning, td_error *error);
    /* Where the time went; once, after the last group. */
    void (*timing)(void *context, const td_timing *timing);
    /* The end of a sink that was opened, however the sweep ended. */
    td_status (*close)(void *context, td_error *error);
} td_sink;

typedef struct td_report td_report;

/*
 * td_report_open - open the output, before anything runs.
 *
 * Input   options: output, format, resume, cache and the command line; argv must outlive the report
 * Output  *report: to be closed with td_report_close
 * Errors  TD_USAGE when the output cannot be written, TD_FAILED when standard output is closed, TD_NO_MEMORY
 */
td_status td_report_open(const td_options *options, td_report **report, td_error *error);

/* The same as a sink for the driver. */
td_status td_report_open_sink(const td_options *options, td_sink *sink, td_error *error);

/* This is a shard; before the environment. The sweep must outlive the report. */
void td_report_shard(void *context, const td_sweep *sweep);

/*
 * td_report_environment - where the runs take place; once, before the first group.
 *
 * Errors  TD_FAILED when the first line of a jsonl or csv output cannot be written, TD_NO_MEMORY
 */
td_status td_report_environment(void *context, const td_environment *environment, td_error *error);

/*
 * td_report_group - record the runs of a group, save those that are `unrecorded`.
 *
 * Input   results: one for each run of the group, whatever its status; copied or written before the return
 * Errors  TD_FAILED when writing failed (a line that is on the disk stays there), TD_NO_MEMORY
 */
td_status td_report_group(void *context, const td_group *group, const td_result *results,
                          td_error *error);

/*
 * td_report_trial - a measurement of a search: a line of its own in jsonl, and in the other formats part of
 * td_report_tuning, which tells of the whole search. CSV has neither.
 *
 * Errors  as td_report_group
 */
td_status td_report_trial(void *context, const td_trial *trial, td_error *error);
td_status td_report_tuning(void *context, const td_tuning *tuning, td_error *error);

/* Where the time went, to be told at the end; without it the times are 0. */
void td_report_timing(void *context, const td_timing *timing);

/* Runs recorded so far with this status. */
uint64_t td_report_count(const td_report *report, td_run_status status);

/*
 * td_report_close - finish the document and free the report, which may be NULL.
 *
 * However the sweep ended, the document is whole: a run that failed or was interrupted is a run of it.
 *
 * Errors  TD_FAILED when the document did not get to where it belongs, or an earlier write had failed
 */
td_status td_report_close(void *context, td_error *error);

#endif
