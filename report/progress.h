/* progress.h - what people read on stderr while a sweep runs. */
#ifndef TD_PROGRESS_H
#define TD_PROGRESS_H

#include "../engine/run.h"

typedef struct td_progress {
    size_t done, total; /* runs */
    double start_s;
    bool quiet, verbose, terminal;
    bool line_open; /* a bar stands on the last line */
} td_progress;

void td_progress_start(td_progress *progress, size_t total, int verbosity);

/* A run starts a phase. */
void td_progress_phase(void *progress, const td_run *run, const char *phase);

/* A run is over: a line where stderr is no terminal, or where it failed. */
void td_progress_result(td_progress *progress, const td_run *run, const td_result *result);

/* One line with the state of things, whoever asks. */
void td_progress_now(td_progress *progress);

void td_progress_end(td_progress *progress);

#endif
