#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/signals.h"
#include "report/terminal.h"

void td_progress_print_skipped(const td_sweep *sweep)
{
    const td_run *first = NULL;
    size_t count = 0;
    for (size_t r = 0; r < sweep->run_count; r++) {
        const td_run *run = &sweep->runs[r];
        const bool is_skipped = !run->unrecorded && run->skip[0] != '\0';
        first = first == NULL && is_skipped ? run : first;
        count += is_skipped;
    }
    if (count == 1) {
        fprintf(stderr, "1 run is skipped: %s\n", first->skip);
    } else if (count > 1) {
        fprintf(stderr, "%zu runs are skipped, the first because %s\n", count, first->skip);
    }
}

void td_progress_start(td_progress *p, const td_sweep *sweep, const td_options *options)
{
    const double now = td_now_s();
    *p = (td_progress){.options = options,
                       .start_s = now,
                       .terminal = td_terminal_is_smart(STDERR_FILENO),
                       .search = options->tune && options->verbosity == 0};
    for (size_t r = 0; r < sweep->run_count; r++) {
        p->total += !sweep->runs[r].unrecorded;
    }
    for (size_t g = 0; g < sweep->group_count; g++) {
        p->left_s += td_group_cost_s(&sweep->groups[g], &p->options->protocol);
    }
}

/* ---------------------------------------------------------------- output */

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
    p->done += !run->unrecorded;
    p->begun = 0.0;
    const bool told = run->skip[0] != '\0' || result->status == TD_RUN_DROPPED ||
                      ((p->terminal || p->search) && result->status != TD_RUN_FAILED);
    if (p->options->verbosity >= 0 && !told) {
        td_progress_clear(p);
        fprintf(stderr, "[%zu/%zu] %s: ", p->done, p->total, run->key);
        print_outcome(result);
    }
}

void td_progress_group(td_progress *p, const td_group *group, const td_result *results)
{
    for (size_t r = 0; r < group->count; r++) {
        end_run(p, &group->runs[r], &results[r]);
    }
    const double cost_s = td_group_cost_s(group, &p->options->protocol);
    p->done_s += cost_s;
    p->left_s -= cost_s;
    if (p->search && !p->terminal && p->done < p->total) {
        char text[128];
        state_text(p, text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
}
