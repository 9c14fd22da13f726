#include "dry_run.h"

#include <stdlib.h>
#include <string.h>

#include "engine/bench/group.h"
#include "engine/core/error.h"
#include "engine/core/signals.h"
#include "engine/host.h"
#include "engine/prepare/execution.h"
#include "engine/prepare/planning.h"
#include "report/terminal.h"

enum { GRIDS_SHOWN = 3, NUMBER_SIZE = 24 };

static int longest_key(const td_sweep *sweep)
{
    size_t longest = 3;
    for (size_t i = 0; i < sweep->run_count; i++) {
        const size_t length = strlen(sweep->runs[i].key);
        longest = length > longest ? length : longest;
    }
    return (int)longest;
}

static void print_grid(FILE *out, td_dim3 grid)
{
    fprintf(out, "%ux%u", grid.x, grid.y);
    if (grid.z > 1) {
        fprintf(out, "x%u", grid.z);
    }
}

static void print_grids(FILE *out, const td_plan *plan)
{
    for (size_t i = 0; i < plan->count && i < GRIDS_SHOWN; i++) {
        fputs(i > 0 ? ", " : "", out);
        print_grid(out, plan->launches[i].grid);
    }
    fputs(plan->count > GRIDS_SHOWN ? ", ...\n" : "\n", out);
}

/* Print 12.3 MiB rather than eight digits, which are hard to compare at a glance. */
static void describe_bytes(uint64_t bytes, char text[NUMBER_SIZE])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit < 4; unit++) {
        value /= 1024;
    }
    snprintf(text, NUMBER_SIZE, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

static void print_run(FILE *out, const td_run *run, int width, bool inexact)
{
    td_plan plan = {0};
    td_error why;
    td_result counts = {0};
    char bytes[NUMBER_SIZE];
    if (run->skip[0] != '\0') {
        fprintf(out, "%-*s  skipped: %s\n", width, run->key, run->skip);
        return;
    }
    if (td_run_plan(run, inexact, &plan, &why) != TD_OK) { /* other runs may do better */
        fprintf(out, "%-*s  will fail: %s\n", width, run->key, why.text);
        return;
    }
    td_run_counts(run, &plan, &counts);
    describe_bytes(counts.working_set_bytes, bytes);
    fprintf(out, "%-*s  %7llu  %11llu  %11llu  %10s  ", width, run->key,
            (unsigned long long)counts.kernels, (unsigned long long)counts.blocks,
            (unsigned long long)(counts.blocks - counts.blocks_needed), bytes);
    print_grids(out, &plan);
    td_plan_free(&plan);
}

td_status td_dry_run_print(FILE *out, const td_sweep *sweep, bool inexact, td_error *error)
{
    const int width = longest_key(sweep);
    fprintf(out, "%-*s  %7s  %11s  %11s  %10s  %s\n", width, "RUN", "KERNELS", "BLOCKS", "WASTED",
            "BUFFERS", "GRIDS");
    for (size_t i = 0; i < sweep->run_count; i++) {
        if (sweep->runs[i].unrecorded) {
            continue;
        }
        print_run(out, &sweep->runs[i], width, inexact);
    }
    return fflush(out) == 0 && !ferror(out)
               ? TD_OK
               : td_fail(error, TD_FAILED, "the table could not be written");
}

/* If there is no plan, the result has no numbers but the reason why it would fail. */
static td_result planned_result(const td_run *run, bool inexact)
{
    td_result result = {.status = TD_RUN_SKIPPED};
    td_plan plan = {0};
    td_error why;
    if (run->skip[0] != '\0') {
        return result;
    }
    result.status = TD_RUN_PLANNED;
    if (td_run_plan(run, inexact, &plan, &why) == TD_OK) {
        td_run_counts(run, &plan, &result);
    } else {
        snprintf(result.reason, sizeof result.reason, "will fail: %.300s", why.text);
    }
    td_plan_free(&plan);
    return result;
}

static td_status report_group(td_report *report, const td_group *group, bool inexact,
                              td_error *error)
{
    td_result *results = NULL;
    TRY(td_allocate(&results, group->count, sizeof *results, error, "the runs of a group"));
    for (size_t r = 0; r < group->count; r++) {
        results[r] = planned_result(&group->runs[r], inexact);
    }
    const td_status status = td_report_group(report, group, results, error);
    free(results);
    return status;
}

/* Print what a search would do. */
static td_status print_searches(const td_sweep *space, td_error *error)
{
    size_t runs = 0;
    for (size_t r = 0; r < space->run_count; r++) {
        runs += !space->runs[r].unrecorded;
    }
    printf("%zu runs in %zu search%s for the fastest way of a workload, a strategy and an N; "
           "the best few of each are measured in full\n",
           runs, space->group_count, space->group_count == 1 ? "" : "es");
    return fflush(stdout) == 0 ? TD_OK
                               : td_fail(error, TD_FAILED, "the table could not be written");
}

td_status td_dry_run(const td_options *options, const td_sweep *sweep, td_report *report,
                     td_error *error)
{
    const bool inexact = options->protocol.inexact;
    td_environment environment = {0};
    if (report == NULL) {
        td_words words;
        TRY(td_words_open(&words, true, error));
        const td_status status = td_dry_run_print(words.stream, sweep, inexact, error);
        td_words_close(&words);
        TRY(status);
        return options->tune ? print_searches(sweep, error) : TD_OK;
    }
    td_describe_host(&environment);
    TRY(td_report_environment(report, &environment, error));
    for (size_t g = 0; g < sweep->group_count; g++) {
        if (td_signals_stop() != 0) {
            return td_fail(error, TD_FAILED, "stopped by %s: the plan is not whole",
                           td_signals_name(td_signals_stop()));
        }
        TRY(report_group(report, &sweep->groups[g], inexact, error));
    }
    return TD_OK;
}
