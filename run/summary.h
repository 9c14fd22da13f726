/* summary.h - the summary of a sweep or a search: a row per group, which names the fastest run and how to get it. */
#pragma once

#include "engine/core/run.h"
#include "report/format/record.h"
#include "report/format/text.h"

/* What a group with verified runs came to. */
typedef struct td_summary_row {
    const td_run *fastest; /* of the verified runs */
    double median_ms;
    uint32_t compared, tied; /* tied: with the fastest, which counts */
    char how[TD_HOW_SIZE];   /* options that select its kernel */
} td_summary_row;

/* Zeroed at the start. */
typedef struct td_sweep_summary {
    size_t runs, verified;
    size_t by_status[TD_RUN_STATUS_COUNT];
    td_summary_row *rows; /* room for one per group */
    size_t row_count;
} td_sweep_summary;

/*
 * td_summary_add - add a group that is over.
 *
 * Runs whose intervals overlap, or whose medians differ by less than a percent, are tied: none of them is the winner.
 */
void td_summary_add(td_sweep_summary *summary, const td_group *group, const td_result *results);

/* Append the lines: how many runs ended how; the rows of each workload and N, of a search the fastest map first. */
void td_summary_print(const td_sweep_summary *summary, double elapsed_s, td_text *text);
