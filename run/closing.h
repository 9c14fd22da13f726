/* closing.h - what came out of a sweep, in a few lines for a terminal. */
#ifndef TD_RUN_CLOSING_H
#define TD_RUN_CLOSING_H

#include "engine/core/run.h"
#include "engine/core/stats.h"
#include "report/format/text.h"

/* A strategy by its fastest run. */
typedef struct td_rival {
    const td_strategy *strategy;
    td_dim3 block;
    uint32_t tile, width; /* width: of a flat tile, else 0 */
    td_summary time_ms;
} td_rival;

/* The strategies of a workload and an N. */
typedef struct td_best {
    const td_workload *workload;
    uint32_t n;
    td_rival *rivals;
    size_t rival_count;
    size_t
        tied_count; /* of the rivals, those in front, which nobody can tell apart: once all are in */
} td_best;

/* Zeroed at the start. */
typedef struct td_closing {
    bool wanted;  /* the fastest are: not where short trials of a search are all there is */
    bool on_host; /* something was timed on the host's cores */
    size_t runs, verified;
    size_t noisy; /* with a wide interval or two modes, or throttled */
    size_t by_status[TD_RUN_INTERRUPTED + 1];
    td_best *best;
    size_t best_count;
} td_closing;

/* A run is over. It is not counted among the fastest unless it was verified, or without memory. */
void td_closing_add(td_closing *closing, const td_run *run, const td_result *result);

/* Append the lines, once: how many runs ended how, and per workload the fastest strategies over the N where they are
 * that. Where their intervals meet none of them is the winner. */
void td_closing_print(td_closing *closing, double elapsed_s, size_t columns, td_text *text);

void td_closing_free(td_closing *closing);

#endif
