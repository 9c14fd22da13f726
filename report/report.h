/*
 * report.h - results in, a document out: json, jsonl, csv or table, to a file or to standard output.
 *
 * The order of calls: open, environment, group..., close. A report closed without an environment leaves no trace. Of
 * processes that share a domain only the first writes. After fork, parent and child share the report: either may make
 * the next call, as long as only one of them does.
 */
#pragma once

#include "engine/options/options.h"
#include "engine/core/run.h"

typedef struct td_report td_report;

/*
 * td_report_open - open the output, before anything runs.
 *
 * Input   options: output, format, resume, cache and the command line; argv must outlive the report
 *         shard: what the report is about, if that is a shard, and then it must outlive the report; else NULL
 * Output  *report: to be closed with td_report_close, also after an error, when it leaves the files as they were
 * Errors  TD_USAGE when the output cannot be written, TD_FAILED when standard output is closed, TD_NO_MEMORY
 */
td_status td_report_open(const td_options *options, const td_sweep *shard, td_report **report,
                         td_error *error);

/*
 * td_report_environment - set where the runs take place; call once, before the first group.
 *
 * Errors  TD_FAILED when the first line of a jsonl or csv output cannot be written, TD_NO_MEMORY
 */
td_status td_report_environment(td_report *report, const td_environment *environment,
                                td_error *error);

/*
 * td_report_group - record the runs of a group, except those that are `unrecorded`.
 *
 * Input   results: one for each run of the group, whatever its status, with their summary (td_group_summarise)
 * Errors  TD_FAILED when writing failed (a line that is on the disk stays there), TD_NO_MEMORY
 */
td_status td_report_group(td_report *report, const td_group *group, const td_result *results,
                          td_error *error);

/*
 * td_report_close - finish the document and free the report.
 *
 * However the sweep ended, the document is complete: a run that failed or was interrupted is one of its runs.
 *
 * Input   timing: where the time went
 * Errors  TD_FAILED when the document could not be put in its place, or an earlier write had failed
 */
td_status td_report_close(td_report *report, const td_timing *timing, td_error *error);
