#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stats.h"

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void td_progress_start(td_progress *p, size_t total, int verbosity)
{
    const td_progress fresh = {.total = total,
                               .start_s = now_s(),
                               .quiet = verbosity<0, .verbose = verbosity> 0,
                               .terminal = isatty(STDERR_FILENO) != 0};
    *p = fresh;
}

static void clear_line(td_progress *p)
{
    if (p->line_open) {
        fputs("\r\033[K", stderr);
        p->line_open = false;
    }
}

/* Time left, from the time so far: runs differ, so it is a guess. */
static void print_eta(const td_progress *p)
{
    const double elapsed_s = now_s() - p->start_s;
    fprintf(stderr, "%zu of %zu runs, %.0f s", p->done, p->total, elapsed_s);
    if (p->done > 0 && p->done < p->total) {
        fprintf(stderr, ", about %.0f s left",
                elapsed_s / (double)p->done * (double)(p->total - p->done));
    }
}

static void draw_bar(td_progress *p, const char *what)
{
    enum { WIDTH = 24 };
    char bar[WIDTH + 1];
    const size_t filled = p->total > 0 ? p->done * WIDTH / p->total : WIDTH;
    memset(bar, '.', WIDTH);
    memset(bar, '#', filled);
    bar[WIDTH] = '\0';
    fprintf(stderr, "\r\033[K[%s] ", bar);
    print_eta(p);
    fprintf(stderr, "  %.60s", what);
    fflush(stderr);
    p->line_open = true;
}

void td_progress_phase(void *progress, const td_run *run, const char *phase)
{
    td_progress *p = progress;
    if (p->terminal && !p->quiet && strcmp(phase, "sample") != 0) {
        draw_bar(p, run->key);
    } else if (p->verbose && strcmp(phase, "sample") != 0) {
        fprintf(stderr, "%s: %s\n", run->key, phase);
    }
}

void td_progress_result(td_progress *p, const td_run *run, const td_result *result)
{
    p->done++;
    if (p->quiet) {
        return;
    }
    clear_line(p);
    if (result->status == TD_RUN_FAILED) {
        fprintf(stderr, "%s: failed: %s\n", run->key, result->reason);
    } else if (!p->terminal && result->status == TD_RUN_OK && result->sample_count > 0) {
        td_summary summary;
        if (td_summarise(result->sample_ms, result->sample_count, &summary)) {
            fprintf(stderr, "[%zu/%zu] %s: %.4f ms\n", p->done, p->total, run->key, summary.median);
        }
    } else if (!p->terminal && result->status != TD_RUN_OK) {
        fprintf(stderr, "[%zu/%zu] %s: %s\n", p->done, p->total, run->key, run->skip);
    }
}

void td_progress_now(td_progress *p)
{
    clear_line(p);
    print_eta(p);
    fputc('\n', stderr);
}

void td_progress_end(td_progress *p)
{
    clear_line(p);
}
