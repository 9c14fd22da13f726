#include "summary.h"

#include <stdio.h>

/* Two runs whose times differ by less than this factor are equally good in practice. */
static const double practical = 1.01;

/* Wrong output can be fast. */
static bool counts(const td_run *run, const td_result *result)
{
    return !run->unrecorded && result->status == TD_RUN_OK && result->sample_count > 0 &&
           result->verified == TD_VERIFIED_PASS;
}

/* Whether the intervals overlap or are unknown, or the gap is too small to matter. */
static bool is_tied(const td_summary *time_ms, const td_summary *fastest)
{
    return !time_ms->ci95.known || !fastest->ci95.known ||
           time_ms->ci95.low <= fastest->ci95.high || time_ms->median < practical * fastest->median;
}

static bool is_one_problem(const td_run *a, const td_run *b)
{
    return a->workload->dimension == b->workload->dimension && a->problem.n == b->problem.n &&
           a->workload->name == b->workload->name;
}

/* Rows of one workload and N follow each other, the fastest first; else rows have the order of the sweep. */
static void insert(td_sweep_summary *summary, const td_summary_row *row)
{
    td_summary_row *at = &summary->rows[summary->row_count];
    for (; at > summary->rows && is_one_problem(at[-1].fastest, row->fastest) &&
           at[-1].median_ms > row->median_ms;
         at--) {
        *at = at[-1];
    }
    *at = *row;
    summary->row_count++;
}

void td_summary_add(td_sweep_summary *summary, const td_group *group, const td_result *results)
{
    td_summary_row row = {.tied = 0};
    const td_result *best = NULL;
    for (size_t r = 0; r < group->count; r++) {
        if (!group->runs[r].unrecorded) {
            summary->runs++;
            summary->by_status[results[r].status]++;
            summary->verified += results[r].verified == TD_VERIFIED_PASS;
        }
        if (counts(&group->runs[r], &results[r])) {
            row.compared++;
            best = best == NULL || results[r].time_ms.median < best->time_ms.median ? &results[r]
                                                                                    : best;
        }
    }
    for (size_t r = 0; r < group->count && best != NULL; r++) {
        row.tied +=
            counts(&group->runs[r], &results[r]) && is_tied(&results[r].time_ms, &best->time_ms);
    }
    if (best != NULL) {
        row.fastest = &group->runs[best - results];
        row.median_ms = best->time_ms.median;
        td_how_text(row.fastest, best, row.how);
        insert(summary, &row);
    }
}

static void put_counts(const td_sweep_summary *s, double elapsed_s, td_text *text)
{
    td_text_print(text, "%zu run%s in %.0f s: %zu ok, %zu verified", s->runs,
                  s->runs == 1 ? "" : "s", elapsed_s, s->by_status[TD_RUN_OK], s->verified);
    for (int status = TD_RUN_OK + 1; status < TD_RUN_STATUS_COUNT; status++) {
        if (s->by_status[status] > 0) {
            td_text_print(text, ", %zu %s", s->by_status[status], td_run_status_names[status]);
        }
    }
    td_text_add(text, "\n");
}

static void put_row(const td_summary_row *row, td_text *text)
{
    const td_run *run = row->fastest;
    td_text_print(text, "  %-10s %dD  %8u %10.5g  %-12s ", run->workload->name,
                  run->workload->dimension, run->problem.n, row->median_ms, run->strategy->name);
    if (row->tied > 1) {
        td_text_print(text, "%2u of %-3u ", row->tied, row->compared);
    } else {
        td_text_print(text, "%9s ", "");
    }
    td_text_print(text, " %s\n", row->how);
}

void td_summary_print(const td_sweep_summary *summary, double elapsed_s, td_text *text)
{
    put_counts(summary, elapsed_s, text);
    if (summary->row_count > 0) {
        td_text_print(text, "  %-10s     %8s %10s  %-12s %9s  %s\n", "workload", "N", "median ms",
                      "fastest", "tied", "with");
    }
    for (size_t r = 0; r < summary->row_count; r++) {
        put_row(&summary->rows[r], text);
    }
}
