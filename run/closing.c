#include "closing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/vector.h"
#include "report/format/record.h"
#include "report/terminal.h"

/* Two maps whose times differ by less than this factor are equally good in practice, as in
 * report/tribench_report/advice.py. */
#define PRACTICAL 1.01

static td_best *best_of(td_closing *closing, const td_run *run)
{
    for (size_t i = closing->best_count; i > 0; i--) { /* usually the last one */
        td_best *best = &closing->best[i - 1];
        if (best->workload == run->workload && best->n == run->problem.n) {
            return best;
        }
    }
    const td_best best = {.workload = run->workload, .n = run->problem.n};
    return td_vector_add(&closing->best, &closing->best_count, sizeof best, &best)
               ? &closing->best[closing->best_count - 1]
               : NULL;
}

/* A strategy is represented by its fastest run, whatever the block or tile of that run. */
static void compare(td_closing *closing, const td_run *run, const td_summary *time_ms)
{
    td_best *best = best_of(closing, run);
    size_t i = 0;
    if (best == NULL) {
        return;
    }
    while (i < best->rival_count && best->rivals[i].strategy != run->strategy) {
        i++;
    }
    const td_rival rival = {run->strategy, run->block, run->tile, run->width, *time_ms};
    if (i == best->rival_count) { /* without memory one less is compared */
        (void)td_vector_add(&best->rivals, &best->rival_count, sizeof rival, &rival);
    } else if (time_ms->median < best->rivals[i].time_ms.median) {
        best->rivals[i] = rival;
    }
}

void td_closing_add(td_closing *closing, const td_run *run, const td_result *result)
{
    td_summary summary;
    closing->runs++;
    closing->by_status[result->status]++;
    closing->verified += result->verified == TD_VERIFIED_PASS;
    if (result->status != TD_RUN_OK || result->sample_count == 0 ||
        !td_summarise(result->sample_ms, result->sample_count, &summary)) {
        return;
    }
    closing->noisy += td_is_wide(&summary) || summary.two_modes || result->before.throttled == 1 ||
                      result->after.throttled == 1;
    if (closing->wanted && result->verified == TD_VERIFIED_PASS) {
        compare(closing, run, &summary);
        closing->on_host = closing->on_host || !run->engine->can.device_memory;
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

static int by_median(const void *a, const void *b)
{
    const double x = ((const td_rival *)a)->time_ms.median,
                 y = ((const td_rival *)b)->time_ms.median;
    return (x > y) - (x < y);
}

/* Whether a rival ties with the fastest: their intervals overlap or are unknown, or the gap is too small to matter. */
static bool is_tied(const td_rival *rival, const td_rival *fastest)
{
    const td_interval *its = &rival->time_ms.ci95, *best = &fastest->time_ms.ci95;
    return rival == fastest || !its->known || !best->known || its->low <= best->high ||
           rival->time_ms.median < PRACTICAL * fastest->time_ms.median;
}

/* Sort the rivals, fastest first, and count those that tie with the fastest. */
static void settle(td_best *best)
{
    size_t tied = 0;
    qsort(best->rivals, best->rival_count, sizeof *best->rivals, by_median);
    while (tied < best->rival_count && is_tied(&best->rivals[tied], &best->rivals[0])) {
        tied++;
    }
    best->tied_count = tied;
}

static bool has(const td_best *best, const td_strategy *strategy)
{
    size_t i = 0;
    while (i < best->tied_count && best->rivals[i].strategy != strategy) {
        i++;
    }
    return i < best->tied_count;
}

/* The strategies that are tied in every entry from `first` to `last`. Returns how many; names may be NULL. */
static size_t common(const td_best *first, const td_best *last, const td_strategy **names)
{
    size_t count = 0;
    for (size_t i = 0; i < last->tied_count; i++) {
        const td_best *at = first;
        while (at <= last && has(at, last->rivals[i].strategy)) {
            at++;
        }
        if (at > last) {
            if (names != NULL) {
                names[count] = last->rivals[i].strategy;
            }
            count++;
        }
    }
    return count;
}

/* The end of a range of N over which one strategy stays among the fastest: the range gets one line. */
static size_t end_of_reign(const td_closing *closing, size_t first)
{
    const td_best *best = closing->best;
    size_t end = first + 1;
    while (end < closing->best_count && best[end].workload == best[first].workload &&
           common(&best[first], &best[end], NULL) > 0) {
        end++;
    }
    return end;
}

static void describe(const td_workload *workload, const td_rival *rival, char how[64])
{
    int used = snprintf(how, 64, "%ux%u", rival->block.x, rival->block.y);
    if (workload->dimension == 3) {
        used += snprintf(how + used, 64 - (size_t)used, "x%u", rival->block.z);
    }
    if (rival->tile != rival->block.x || rival->width != 0) {
        char tile[TD_TILE_SIZE];
        td_tile_text(rival->tile, rival->width, tile);
        snprintf(how + used, 64 - (size_t)used, ", tile %s", tile);
    }
}

static void put_reign(const td_best *first, const td_best *last, td_text *text)
{
    char range[32], how[64];
    const td_strategy **names = calloc(last->tied_count, sizeof *names);
    if (names == NULL) {
        text->failed = true;
        return;
    }
    const size_t count = common(first, last, names);
    snprintf(range, sizeof range, first == last ? "%u" : "%u..%u", first->n, last->n);
    describe(last->workload, &last->rivals[0], how);
    td_text_print(text, "  %-10s %dD  %-15s %10.5g  %-16s ", first->workload->name,
                  first->workload->dimension, range, last->rivals[0].time_ms.median, how);
    for (size_t i = 0; i < count; i++) {
        td_text_print(text, "%s%s",
                      i > 0       ? ", "
                      : count > 1 ? "no clear winner: "
                                  : "",
                      names[i]->name);
    }
    td_text_add(text, "\n");
    free((void *)names);
}

static void put_counts(const td_closing *c, double elapsed_s, td_text *text)
{
    td_text_print(text, "%zu run%s in %.0f s: %zu ok, %zu verified", c->runs,
                  c->runs == 1 ? "" : "s", elapsed_s, c->by_status[TD_RUN_OK], c->verified);
    for (int s = TD_RUN_FAILED; s <= TD_RUN_INTERRUPTED; s++) {
        if (c->by_status[s] > 0) {
            td_text_print(text, ", %zu %s", c->by_status[s], td_run_status_names[s]);
        }
    }
    td_text_add(text, "\n");
}

void td_closing_print(td_closing *closing, double elapsed_s, size_t columns, td_text *text)
{
    td_text lines = {0};
    size_t end = 0;
    bool any = false;
    put_counts(closing, elapsed_s, &lines);
    if (closing->best_count > 0) {
        qsort(closing->best, closing->best_count, sizeof *closing->best, by_workload_and_n);
    }
    for (size_t i = 0; i < closing->best_count; i++) {
        settle(&closing->best[i]);
        any = any || closing->best[i].rival_count > 1;
    }
    if (any) {
        td_text_print(&lines, "  %-10s     %-15s %10s  %-16s %s\n", "workload", "N", "median ms",
                      "(of the largest)", "fastest");
    }
    for (size_t first = 0; any && first < closing->best_count; first = end) {
        end = end_of_reign(closing, first);
        put_reign(&closing->best[first], &closing->best[end - 1], &lines);
    }
    if (closing->noisy > 0) {
        td_text_print(
            &lines,
            "  %zu of the times are noisy: a wide interval, two modes, or a throttled device\n",
            closing->noisy);
    }
    if (any && closing->on_host) {
        td_text_add(&lines, "  measured on the host's cores, where I says nothing about a GPU\n");
    }
    td_terminal_fold(lines.data != NULL ? lines.data : "", columns, text);
    td_text_free(&lines);
}

void td_closing_free(td_closing *closing)
{
    for (size_t i = 0; i < closing->best_count; i++) {
        free(closing->best[i].rivals);
    }
    free(closing->best);
    closing->best = NULL;
    closing->best_count = 0;
}
