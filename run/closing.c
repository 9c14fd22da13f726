#include "closing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/vector.h"
#include "report/format/record.h"
#include "report/terminal.h"

static td_best *best_of(td_closing *closing, const td_run *run)
{
    for (size_t i = closing->best_count; i > 0; i--) { /* mostly the last */
        td_best *best = &closing->best[i - 1];
        if (best->workload == run->workload && best->n == run->problem.n) {
            return best;
        }
    }
    td_best *grown = td_vector_grow(closing->best, closing->best_count, sizeof *grown);
    if (grown == NULL) {
        return NULL;
    }
    closing->best = grown;
    grown[closing->best_count] = (td_best){.workload = run->workload, .n = run->problem.n};
    return &grown[closing->best_count++];
}

static void compare(td_closing *closing, const td_run *run, double median_ms)
{
    td_best *best = best_of(closing, run);
    if (best == NULL) {
        return;
    }
    if (best->strategy == NULL || median_ms < best->median_ms) {
        best->strategy = run->strategy;
        best->block = run->block;
        best->tile = run->tile;
        best->median_ms = median_ms;
    }
    best->rivals++;
}

void td_closing_add(td_closing *closing, const td_run *run, const td_result *result)
{
    td_summary summary;
    closing->runs++;
    closing->by_status[result->status]++;
    closing->verified += result->verified == TD_VERIFIED_PASS;
    if (closing->wanted && result->status == TD_RUN_OK && result->sample_count > 0 &&
        td_summarise(result->sample_ms, result->sample_count, &summary)) {
        compare(closing, run, summary.median);
    }
}

static int by_workload_and_n(const void *a, const void *b)
{
    const td_best *x = a, *y = b;
    for (size_t w = 0; x->workload != y->workload && w < td_workload_count; w++) {
        if (td_workloads[w] == x->workload || td_workloads[w] == y->workload) {
            return td_workloads[w] == x->workload ? -1 : 1;
        }
    }
    return (x->n > y->n) - (x->n < y->n);
}

/* Where the same strategy stays the fastest, a line for all of these N. */
static size_t end_of_reign(const td_closing *closing, size_t first)
{
    size_t end = first + 1;
    while (end < closing->best_count &&
           closing->best[end].workload == closing->best[first].workload &&
           closing->best[end].strategy == closing->best[first].strategy) {
        end++;
    }
    return end;
}

static void describe(const td_best *best, char how[64])
{
    int used = snprintf(how, 64, "%ux%u", best->block.x, best->block.y);
    if (best->workload->dimension == 3) {
        used += snprintf(how + used, 64 - (size_t)used, "x%u", best->block.z);
    }
    if (best->tile != best->block.x) {
        snprintf(how + used, 64 - (size_t)used, ", tile %u", best->tile);
    }
}

static void put_reign(const td_best *first, const td_best *last, td_text *text)
{
    char range[32], how[64];
    const bool one = first == last;
    snprintf(range, sizeof range, one ? "%u" : "%u..%u", first->n, last->n);
    describe(last, how);
    td_text_print(text, "  %-10s %dD  %-15s %-10s %10.5g  %s\n", first->workload->name,
                  first->workload->dimension, range, last->strategy->name, last->median_ms, how);
}

static void put_counts(const td_closing *c, double elapsed_s, td_text *text)
{
    td_text_print(text, "%zu run%s in %.0f s: %zu ok, %zu verified", c->runs,
                  c->runs == 1 ? "" : "s", elapsed_s, c->by_status[TD_RUN_OK], c->verified);
    for (int s = TD_RUN_FAILED; s <= TD_RUN_INTERRUPTED; s++) {
        if (c->by_status[s] > 0) {
            td_text_print(text, ", %zu %s", c->by_status[s], td_run_status_name((td_run_status)s));
        }
    }
    td_text_add(text, "\n");
}

void td_closing_print(const td_closing *closing, double elapsed_s, size_t columns, td_text *text)
{
    td_text lines = {0};
    size_t end = 0;
    bool any = false;
    put_counts(closing, elapsed_s, &lines);
    if (closing->best_count > 0) {
        qsort(closing->best, closing->best_count, sizeof *closing->best, by_workload_and_n);
    }
    for (size_t i = 0; i < closing->best_count; i++) {
        any = any || closing->best[i].rivals > 1;
    }
    if (any) {
        td_text_print(&lines, "  %-10s     %-15s %-10s %10s  %s\n", "workload", "N", "fastest",
                      "median ms", "(of the largest N)");
    }
    for (size_t first = 0; any && first < closing->best_count; first = end) {
        end = end_of_reign(closing, first);
        put_reign(&closing->best[first], &closing->best[end - 1], &lines);
    }
    td_terminal_fold(lines.data != NULL ? lines.data : "", columns, text);
    td_text_free(&lines);
}

void td_closing_free(td_closing *closing)
{
    free(closing->best);
    closing->best = NULL;
    closing->best_count = 0;
}
