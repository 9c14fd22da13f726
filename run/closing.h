/* closing.h - what came out of a sweep, in a few lines for a terminal. */
#ifndef TD_RUN_CLOSING_H
#define TD_RUN_CLOSING_H

#include "engine/core/run.h"
#include "report/format/text.h"

/* The fastest run of a workload and an N. */
typedef struct td_best {
    const td_workload *workload;
    const td_strategy *strategy;
    uint32_t n, tile;
    td_dim3 block;
    double median_ms;
    size_t rivals; /* how many runs it was compared with */
} td_best;

/* Zeroed at the start. */
typedef struct td_closing {
    bool wanted; /* the fastest are: not where short trials of a search are all there is */
    size_t runs, verified;
    size_t by_status[TD_RUN_INTERRUPTED + 1];
    td_best *best;
    size_t best_count;
} td_closing;

/* A run is over. Without memory it is not counted among the fastest. */
void td_closing_add(td_closing *closing, const td_run *run, const td_result *result);

/* Append the lines: how many runs ended how, and the fastest strategy of each workload over the N where it is that. */
void td_closing_print(const td_closing *closing, double elapsed_s, size_t columns, td_text *text);

void td_closing_free(td_closing *closing);

#endif
