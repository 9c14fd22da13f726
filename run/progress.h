/*
 * progress.h - what a sweep says on stderr: a bar on a smart terminal, else one line per run; at last a summary, a row
 * per group, which names the fastest run and how to get it.
 */
#pragma once

#include <stdio.h>

#include "engine/sweep/sweep.h"
#include "report/format/record.h"

/* What a group with verified runs came to. */
typedef struct td_fastest {
    const td_run *run; /* the fastest of the verified runs */
    double median_ms;
    uint32_t compared, tied; /* tied: with the fastest, which counts */
    char how[TD_HOW_SIZE];   /* options that select its kernel */
} td_fastest;

typedef struct td_progress {
    const td_options *options;
    size_t done, total;                              /* runs that are reported */
    size_t by_status[TD_RUN_STATUS_COUNT], verified; /* of those that are done */
    td_fastest *rows;                                /* room for one per group */
    size_t row_count;
    double begun; /* progress of the runs under way [runs] */
    double drawn_s;
    double done_s, left_s;   /* of the groups, as td_group_cost_s expects them */
    double start_s, first_s; /* first_s: of the first run; 0: not yet */
    bool terminal;
    bool search;    /* --tune without -v and -q: how a run ends is of no interest */
    bool line_open; /* a bar is on the last line */
} td_progress;

/*
 * td_progress_start - before the first group. Processes that are forked later share the summary.
 *
 * Errors  TD_NO_MEMORY
 */
td_status td_progress_start(td_progress *progress, const td_sweep *sweep, const td_options *options,
                            td_error *error);

/* A run starts a phase. */
void td_progress_phase(td_progress *progress, const td_run *run, const char *phase);

/*
 * td_progress_group - the runs of a group are over: print those that failed. If stderr is not a terminal, also print
 * the others, or for a search how far it is.
 *
 * In the summary, runs whose intervals overlap, or whose medians differ by less than a percent, are tied: none of them
 * is the winner.
 */
void td_progress_group(td_progress *progress, const td_group *group, const td_result *results);

/* Clear the bar: something else may be written to the same terminal. */
void td_progress_clear(td_progress *progress);

/* Print the summary: how many runs ended how; the rows of each workload and N, of a search the fastest map first. */
void td_progress_summarise(const td_progress *progress, double elapsed_s, FILE *to);

/* An estimate of the time left: the time so far, times the cost of the groups left over that of those done; 0: not
 * known yet. */
double td_progress_left_s(const td_progress *progress, double elapsed_s);
