#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/clock.h"
#include "engine/core/stats.h"
#include "report/terminal.h"

/* ---------------------------------------------------------------- time left */

void td_pace_add(td_pace *p, double cells, double seconds)
{
    p->runs += 1.0;
    p->x += cells;
    p->t += seconds;
    p->xx += cells * cells;
    p->xt += cells * seconds;
}

/* A line through the finished runs by least squares. Sizes mostly grow, so a mean would promise too much. */
double td_pace_guess(const td_pace *p, double runs, double cells)
{
    const double spread = p->runs * p->xx - p->x * p->x;
    if (p->runs < 1.0) {
        return 0.0;
    }
    double a_cell = spread > 0.0 ? (p->runs * p->xt - p->x * p->t) / spread : 0.0;
    double a_run = (p->t - a_cell * p->x) / p->runs;
    if (a_cell < 0.0) {
        a_cell = 0.0;
        a_run = p->t / p->runs;
    } else if (a_run < 0.0) {
        a_run = 0.0;
        a_cell = p->t / p->x;
    }
    return a_run * runs + a_cell * cells;
}

static double cells_of(const td_run *run)
{
    const double n = run->problem.n;
    return run->workload->dimension == 3 ? n * n * n / 6.0 : n * n / 2.0;
}

static bool counts(const td_run *run)
{
    return !run->unrecorded && run->skip[0] == '\0';
}

void td_progress_start(td_progress *p, const td_sweep *sweep, int verbosity)
{
    const double now = td_now_s();
    const td_progress fresh = {.start_s = now,
                               .last_s = now,
                               .quiet = verbosity<0, .verbose = verbosity> 0,
                               .terminal = isatty(STDERR_FILENO) != 0,
                               .shared = isatty(STDOUT_FILENO) != 0,
                               .closing = p->closing};
    *p = fresh;
    for (size_t r = 0; r < sweep->run_count; r++) {
        p->total += !sweep->runs[r].unrecorded;
        p->cells_left += counts(&sweep->runs[r]) ? cells_of(&sweep->runs[r]) : 0.0;
    }
}

static void note_pace(td_progress *p, const td_run *run)
{
    const double now = td_now_s();
    td_pace_add(&p->pace, cells_of(run), now - p->last_s);
    p->cells_left -= cells_of(run);
    p->last_s = now;
}

/* ---------------------------------------------------------------- words */

static void clear_line(td_progress *p)
{
    if (p->line_open) {
        fputs("\r\033[K", stderr);
        p->line_open = false;
    }
}

static int state_text(const td_progress *p, char *text, size_t size)
{
    const double left_s = td_pace_guess(&p->pace, (double)(p->total - p->done), p->cells_left);
    int used =
        snprintf(text, size, "%zu of %zu runs, %.0f s", p->done, p->total, td_now_s() - p->start_s);
    if (left_s > 0.0 && p->done < p->total) {
        used += snprintf(text + used, size - (size_t)used, ", about %.0f s left", left_s);
    }
    return used;
}

/* One line and no wider than the terminal: a wrapped one cannot be wiped out again. */
static void draw_bar(td_progress *p, const char *what)
{
    enum { WIDTH = 24 };
    char bar[WIDTH + 1], line[512];
    const size_t filled = p->total > 0 ? p->done * WIDTH / p->total : WIDTH;
    memset(bar, '.', WIDTH);
    memset(bar, '#', filled);
    bar[WIDTH] = '\0';
    int used = snprintf(line, sizeof line, "[%s] ", bar);
    used += state_text(p, line + used, sizeof line - (size_t)used);
    snprintf(line + used, sizeof line - (size_t)used, "  %s", what);
    fprintf(stderr, "\r\033[K%.*s", (int)td_terminal_columns(STDERR_FILENO) - 1, line);
    fflush(stderr);
    p->line_open = true;
}

void td_progress_phase(td_progress *p, const td_run *run, const char *phase)
{
    const bool rare = strcmp(phase, "verify") == 0 || strcmp(phase, "warm up") == 0;
    if (p->terminal && !p->quiet && rare) {
        draw_bar(p, run->key);
    } else if (p->verbose && rare) {
        fprintf(stderr, "%s: %s\n", run->key, phase);
    }
}

/* What a line says behind the key. */
static void print_outcome(const td_run *run, const td_result *result)
{
    td_summary summary;
    if (result->status == TD_RUN_FAILED) {
        fprintf(stderr, "failed: %s\n", result->reason);
    } else if (result->status == TD_RUN_SKIPPED) {
        fprintf(stderr, "skipped: %s\n", run->skip);
    } else if (result->status == TD_RUN_INTERRUPTED) {
        fputs("interrupted\n", stderr);
    } else if (td_summarise(result->sample_ms, result->sample_count, &summary)) {
        fprintf(stderr, "%.4f ms\n", summary.median);
    } else {
        fputs("ok\n", stderr);
    }
}

void td_progress_result(td_progress *p, const td_run *run, const td_result *result)
{
    if (run->unrecorded && result->status != TD_RUN_FAILED) {
        return;
    }
    p->done += !run->unrecorded;
    td_closing_add(&p->closing, run, result);
    if (counts(run)) {
        note_pace(p, run);
    }
    if (!p->quiet && (!p->terminal || result->status == TD_RUN_FAILED)) {
        clear_line(p);
        fprintf(stderr, "[%zu/%zu] %s: ", p->done, p->total, run->key);
        print_outcome(run, result);
    }
}

void td_progress_now(td_progress *p)
{
    char text[128];
    state_text(p, text, sizeof text);
    clear_line(p);
    fprintf(stderr, "tribench: %s\n", text);
}

void td_progress_writing(td_progress *p)
{
    if (p->shared) {
        clear_line(p);
    }
}

void td_progress_end(td_progress *p)
{
    clear_line(p);
}

void td_progress_close(td_progress *p)
{
    if (p->terminal && !p->quiet && p->done > 0) {
        td_text text = {0};
        td_closing_print(&p->closing, td_now_s() - p->start_s, td_terminal_columns(STDERR_FILENO),
                         &text);
        fputs(text.data != NULL ? text.data : "", stderr);
        td_text_free(&text);
    }
    td_closing_free(&p->closing);
}
