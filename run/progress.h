/* progress.h - what people read on stderr while a sweep runs: a bar on a terminal, else one line per run. */
#ifndef TD_RUN_PROGRESS_H
#define TD_RUN_PROGRESS_H

#include "closing.h"
#include "engine/options/options.h"

/* Sums over finished runs (x: cells, t: seconds), from which the rest is guessed. */
typedef struct td_pace {
    double runs, x, t, xx, xt;
} td_pace;

typedef struct td_progress {
    size_t done, total; /* runs that are reported */
    double begun;       /* in runs: how much of those under way is done */
    uint32_t samples;   /* that a run is to have */
    double drawn_s;
    double cells_left;
    double start_s, last_s; /* last_s: when the last run ended */
    td_pace pace;
    bool quiet, verbose, terminal;
    bool shared;    /* standard output is a terminal, too: perhaps the same */
    bool line_open; /* a bar stands on the last line */
    td_closing closing;
} td_progress;

/* Says at once what will be skipped, a line for each reason. */
void td_progress_start(td_progress *progress, const td_sweep *sweep, const td_options *options);

/* A run will be measured once more than the sweep has it. */
void td_progress_expect(td_progress *progress, const td_run *run);

/* A run starts a phase. */
void td_progress_phase(td_progress *progress, const td_run *run, const char *phase);

/* A run is over: a line where stderr is no terminal, or where it failed. Of one that is skipped the start has told. */
void td_progress_result(td_progress *progress, const td_run *run, const td_result *result);

/* One line with the state of things, whoever asks. */
void td_progress_now(td_progress *progress);

/* Something is about to be written to the output: the bar makes room where that may be on the same terminal. */
void td_progress_writing(td_progress *progress);

void td_progress_end(td_progress *progress);

/* Behind the last output: on a terminal, what came out. Frees what was kept for that. */
void td_progress_close(td_progress *progress);

/* Add a run of so many cells that took so long. */
void td_pace_add(td_pace *pace, double cells, double seconds);

/* Seconds that `runs` more runs with `cells` cells in all will take: a fixed part per run and a part per cell. 0: not
 * known yet. */
double td_pace_guess(const td_pace *pace, double runs, double cells);

#endif
