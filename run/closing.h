/* closing.h - the summary of a sweep, in a few lines for a terminal. */
#pragma once

#include "engine/core/run.h"
#include "engine/core/stats.h"
#include "report/format/text.h"

/* A strategy, represented by its fastest run. */
typedef struct td_rival {
    const td_strategy *strategy;
    td_dim3 block;
    uint32_t tile, width; /* width: of a flat tile, else 0 */
    td_summary time_ms;
} td_rival;

/* The strategies measured for one workload and N. */
typedef struct td_best {
    const td_workload *workload;
    uint32_t n;
    td_rival *rivals;
    size_t rival_count;
    size_t tied_count; /* the first of the rivals, tied with the fastest; set once all are in */
} td_best;

/* Starts zeroed. */
typedef struct td_closing {
    bool wanted;  /* compare strategies; not with --tune, whose trials are short */
    bool on_host; /* something was timed on the host's cores */
    size_t runs, verified;
    size_t noisy; /* a wide interval, two modes or a throttled device */
    size_t by_status[TD_RUN_INTERRUPTED + 1];
    td_best *best;
    size_t best_count;
} td_closing;

/* Add a finished run. It is compared for the fastest only if it was verified and there is memory to note it. */
void td_closing_add(td_closing *closing, const td_run *run, const td_result *result);

/* Append the lines, once: how many runs ended how, and per workload the fastest strategies over each range of N that
 * they lead. Strategies whose intervals overlap are tied: none of them is the winner. */
void td_closing_print(td_closing *closing, double elapsed_s, size_t columns, td_text *text);

void td_closing_free(td_closing *closing);
