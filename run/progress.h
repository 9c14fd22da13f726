/* progress.h - the progress of a sweep on stderr: a bar on a smart terminal, else one line per run. */
#pragma once

#include "engine/sweep/sweep.h"

typedef struct td_progress {
    const td_options *options;
    size_t done, total; /* runs that are reported */
    double begun;       /* progress of the runs under way [runs] */
    double drawn_s;
    double done_s, left_s;   /* of the groups, as td_group_cost_s expects them */
    double start_s, first_s; /* first_s: of the first run; 0: not yet */
    bool terminal;
    bool search;    /* --tune without -v and -q: how a run ends is of no interest */
    bool line_open; /* a bar is on the last line */
} td_progress;

void td_progress_start(td_progress *progress, const td_sweep *sweep, const td_options *options);

/* Print how many runs will be skipped, and why the first one is. */
void td_progress_print_skipped(const td_sweep *sweep);

/* A run starts a phase. */
void td_progress_phase(td_progress *progress, const td_run *run, const char *phase);

/* The runs of a group are over: print those that failed. If stderr is not a terminal, also print the others, or for a
 * search how far it is. Skipped runs were printed before. */
void td_progress_group(td_progress *progress, const td_group *group, const td_result *results);

/* Clear the bar: something else may be written to the same terminal. */
void td_progress_clear(td_progress *progress);

/* An estimate of the time left: the time so far, times the cost of the groups left over that of those done; 0: not
 * known yet. */
double td_progress_left_s(const td_progress *progress, double elapsed_s);
