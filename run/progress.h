/* progress.h - the progress of a sweep on stderr: a bar on a terminal, else one line per run. */
#pragma once

#include "engine/options/options.h"

typedef struct td_progress {
    size_t done, total; /* runs that are reported */
    double begun;       /* progress of the runs under way [runs] */
    uint32_t samples;   /* per run */
    double drawn_s;
    double cells_done, cells_left;
    double start_s;
    bool quiet, verbose, terminal;
    bool shared;    /* standard output is a terminal, too, perhaps the same one */
    bool line_open; /* a bar is on the last line */
} td_progress;

void td_progress_start(td_progress *progress, const td_sweep *sweep, const td_options *options);

/* Print how many runs will be skipped, and why the first one is. */
void td_progress_print_skipped(const td_sweep *sweep);

/* A run starts a phase. */
void td_progress_phase(td_progress *progress, const td_run *run, const char *phase);

/* A run is over: print a line if stderr is not a terminal or the run failed. Skipped runs were printed before. */
void td_progress_result(td_progress *progress, const td_run *run, const td_result *result);

/* Whether a signal asks to stop. One that asks for progress is answered here; NULL: with nothing. */
bool td_progress_stopped(td_progress *progress);

/* Something is about to be written to the output: clear the bar if both may be on the same terminal. */
void td_progress_writing(td_progress *progress);

void td_progress_end(td_progress *progress);

/* An estimate of the time left: the time so far times the cells left over the cells done; 0: not known yet. */
double td_progress_left_s(const td_progress *progress, double elapsed_s);
