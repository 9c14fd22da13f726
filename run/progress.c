#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/process.h"
#include "report/terminal.h"

td_status td_progress_start(td_progress *p, const td_sweep *sweep, const td_options *options,
                            td_error *error)
{
    *p = (td_progress){.options = options,
                       .start_s = td_now_s(),
                       .terminal = td_terminal_is_smart(STDERR_FILENO),
                       .search = options->tune && options->verbosity == 0};
    for (size_t r = 0; r < sweep->run_count; r++) {
        p->total += !sweep->runs[r].unrecorded;
    }
    for (size_t g = 0; g < sweep->group_count; g++) {
        p->left_s += td_group_cost_s(&sweep->groups[g], &options->protocol);
    }
    return td_allocate_shared(&p->rows, (sweep->group_count + 1) * sizeof *p->rows, "the summary",
                              error);
}

/* ---- the bar, and a line per run ---- */

void td_progress_clear(td_progress *p)
{
    if (p->line_open) {
        fputs("\r\033[K", stderr);
        p->line_open = false;
    }
}

double td_progress_left_s(const td_progress *p, double elapsed_s)
{
    return p->done_s > 0.0 ? elapsed_s * p->left_s / p->done_s : 0.0;
}

static int state_text(const td_progress *p, char *text, size_t size)
{
    const double now = td_now_s(), elapsed_s = now - p->start_s;
    const double left_s = td_progress_left_s(p, now - p->first_s);
    int used = snprintf(text, size, "%zu of %zu runs, %.0f s", p->done, p->total, elapsed_s);
    if (left_s > 0.0 && p->done < p->total) {
        used += snprintf(text + used, size - (size_t)used, ", about %.0f s left", left_s);
    }
    return used;
}

/* One line, no wider than the terminal: a wrapped line cannot be erased. */
static void draw_bar(td_progress *p, const char *phase, const char *what)
{
    enum { WIDTH = 24 };
    char bar[WIDTH + 1], line[512];
    const double reached = (double)p->done + p->begun, all = (double)p->total;
    const size_t filled = reached < all ? (size_t)(reached * (double)WIDTH / all) : WIDTH;
    memset(bar, '.', WIDTH);
    memset(bar, '#', filled);
    bar[WIDTH] = '\0';
    int used = snprintf(line, sizeof line, "[%s] ", bar);
    used += state_text(p, line + used, sizeof line - (size_t)used);
    snprintf(line + used, sizeof line - (size_t)used, "  %s %s", phase, what);
    fprintf(stderr, "\r\033[K%.*s", (int)td_terminal_columns(STDERR_FILENO) - 1, line);
    fflush(stderr);
    p->line_open = true;
    p->drawn_s = td_now_s();
}

void td_progress_phase(td_progress *p, const td_run *run, const char *phase)
{
    const bool rare = strcmp(phase, "verify") == 0 || strcmp(phase, "warm up") == 0;
    p->first_s = p->first_s > 0.0 ? p->first_s : td_now_s();
    /* the runs of a group all end together; until then their phases move the bar */
    p->begun += (rare ? 1.0 : 1.0 / fmax(p->options->protocol.samples, 1.0)) / 3.0;
    if (p->terminal && p->options->verbosity >= 0 && (rare || td_now_s() - p->drawn_s > 0.1)) {
        draw_bar(p, phase, run->key);
    } else if (p->options->verbosity > 0 && rare) {
        fprintf(stderr, "%s: %s\n", run->key, phase);
    }
}

/* Print the rest of a line, after the key. */
static void print_outcome(const td_result *result)
{
    if (result->status == TD_RUN_FAILED) {
        fprintf(stderr, "failed: %s\n", result->reason);
    } else if (result->status == TD_RUN_INTERRUPTED) {
        fputs("interrupted\n", stderr);
    } else if (result->sample_count > 0) {
        fprintf(stderr, "%.4f ms\n", result->time_ms.median);
    } else {
        fputs("ok\n", stderr);
    }
}

static void end_run(td_progress *p, const td_run *run, const td_result *result)
{
    if (run->unrecorded && result->status != TD_RUN_FAILED) {
        return;
    }
    if (!run->unrecorded) {
        p->done++;
        p->by_status[result->status]++;
        p->verified += result->verified == TD_VERIFIED_PASS;
    }
    p->begun = 0.0;
    const bool told = run->skip[0] != '\0' || result->status == TD_RUN_DROPPED ||
                      ((p->terminal || p->search) && result->status != TD_RUN_FAILED);
    if (p->options->verbosity >= 0 && !told) {
        td_progress_clear(p);
        fprintf(stderr, "[%zu/%zu] %s: ", p->done, p->total, run->key);
        print_outcome(result);
    }
}

/* ---- the summary ---- */

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
static void insert(td_progress *p, const td_fastest *row)
{
    td_fastest *at = &p->rows[p->row_count++];
    while (at > p->rows && is_one_problem(at[-1].run, row->run) &&
           at[-1].median_ms > row->median_ms) {
        *at = at[-1];
        at--;
    }
    *at = *row;
}

static void add_row(td_progress *p, const td_group *group, const td_result *results)
{
    td_fastest row = {.tied = 0};
    const td_result *best = NULL;
    for (size_t r = 0; r < group->count; r++) {
        if (counts(&group->runs[r], &results[r])) {
            const bool is_best = best == NULL || results[r].time_ms.median < best->time_ms.median;
            best = is_best ? &results[r] : best;
            row.compared++;
        }
    }
    for (size_t r = 0; r < group->count && best != NULL; r++) {
        row.tied +=
            counts(&group->runs[r], &results[r]) && is_tied(&results[r].time_ms, &best->time_ms);
    }
    if (best != NULL) {
        row.run = &group->runs[best - results];
        row.median_ms = best->time_ms.median;
        td_how_text(row.run, best, row.how);
        insert(p, &row);
    }
}

/* In a search, how many times as fast as the fastest run of the baseline a row's run is, if that was searched, too. */
static void improvement_text(const td_progress *p, const td_fastest *row, char text[16])
{
    const td_options *o = p->options;
    const td_strategy *baseline =
        o->baseline != NULL ? o->baseline : td_strategy_baseline(row->run->workload->dimension);
    text[0] = '\0';
    for (const td_fastest *of = p->rows; of < p->rows + p->row_count; of++) {
        if (p->search && !o->no_baseline && of->run->strategy == baseline &&
            is_one_problem(of->run, row->run)) {
            snprintf(text, 16, "%.3f", of->median_ms / row->median_ms);
        }
    }
}

void td_progress_summarise(const td_progress *p, double elapsed_s, FILE *to)
{
    fprintf(to, "%zu run%s in %.0f s: %zu ok, %zu verified", p->done, p->done == 1 ? "" : "s",
            elapsed_s, p->by_status[TD_RUN_OK], p->verified);
    for (int status = TD_RUN_OK + 1; status < TD_RUN_STATUS_COUNT; status++) {
        if (p->by_status[status] > 0) {
            fprintf(to, ", %zu %s", p->by_status[status], td_run_status_names[status]);
        }
    }
    fputc('\n', to);
    if (p->row_count > 0) {
        fprintf(to, "  %-10s     %8s %10s  %-12s %7s %9s  %s\n", "workload", "N", "median ms",
                "fastest", p->search ? "I" : "", "tied", "with");
    }
    for (const td_fastest *row = p->rows; row < p->rows + p->row_count; row++) {
        char tied[32] = "", improvement[16];
        improvement_text(p, row, improvement);
        if (row->tied > 1) {
            snprintf(tied, sizeof tied, "%2u of %-3u", row->tied, row->compared);
        }
        fprintf(to, "  %-10s %dD  %8u %10.5g  %-12s %7s %9s  %s\n", row->run->workload->name,
                row->run->workload->dimension, row->run->problem.n, row->median_ms,
                row->run->strategy->name, improvement, tied, row->how);
    }
}

/* ---- the end of a group ---- */

void td_progress_group(td_progress *p, const td_group *group, const td_result *results)
{
    for (size_t r = 0; r < group->count; r++) {
        end_run(p, &group->runs[r], &results[r]);
    }
    add_row(p, group, results);
    const double cost_s = td_group_cost_s(group, &p->options->protocol);
    p->done_s += cost_s;
    p->left_s -= cost_s;
    if (p->search && !p->terminal && p->done < p->total) {
        char text[128];
        state_text(p, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}
