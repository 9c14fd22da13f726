/* dry_run.c - --dry-run: what would be launched, as text and as data. */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "engine/bench/group.h"
#include "engine/core/error.h"
#include "engine/core/span.h"
#include "engine/core/signals.h"
#include "engine/host.h"
#include "engine/prepare/planning.h"
#include "report/terminal.h"

enum { GRIDS_SHOWN = 3 };

/* If there is no plan, the result has no numbers but the reason why it would fail. */
static td_result planned_result(const td_run *run, bool inexact, td_plan *plan)
{
    td_result result = {.status = run->skip[0] != '\0' ? TD_RUN_SKIPPED : TD_RUN_PLANNED};
    td_error why;
    *plan = (td_plan){0};
    if (result.status == TD_RUN_SKIPPED) {
        return result;
    }
    if (td_run_plan(run, inexact, plan, &why) == TD_OK) {
        td_run_counts(run, plan, &result);
    } else {
        snprintf(result.reason, sizeof result.reason, "will fail: %.300s", why.text);
    }
    return result;
}

/* ---- as text ---- */

static int longest_key(const td_sweep *sweep)
{
    size_t longest = 3;
    for (size_t i = 0; i < sweep->run_count; i++) {
        const size_t length = strlen(sweep->runs[i].key);
        longest = length > longest ? length : longest;
    }
    return (int)longest;
}

static void add_grids(td_text *text, const td_plan *plan)
{
    for (size_t i = 0; i < plan->count && i < GRIDS_SHOWN; i++) {
        const td_dim3 grid = plan->launches[i].grid;
        td_text_print(text, grid.z > 1 ? "%s%ux%ux%u" : "%s%ux%u", i > 0 ? ", " : "", grid.x,
                      grid.y, grid.z);
    }
    td_text_add(text, plan->count > GRIDS_SHOWN ? ", ...\n" : "\n");
}

static void add_run(td_text *text, const td_run *run, int width, bool inexact)
{
    td_plan plan;
    const td_result r = planned_result(run, inexact, &plan);
    if (r.status == TD_RUN_SKIPPED) {
        td_text_print(text, "%-*s  skipped: %s\n", width, run->key, run->skip);
    } else if (r.reason[0] != '\0') { /* other runs may do better */
        td_text_print(text, "%-*s  %s\n", width, run->key, r.reason);
    } else {
        td_text_print(text, "%-*s  %7llu  %11llu  %11llu  %10s  ", width, run->key,
                      (unsigned long long)r.kernels, (unsigned long long)r.blocks,
                      (unsigned long long)(r.blocks - r.blocks_needed),
                      td_show_bytes(r.working_set_bytes).text);
        add_grids(text, &plan);
    }
    td_plan_free(&plan);
}

static void add_runs(const td_sweep *sweep, bool inexact, td_text *text)
{
    const int width = longest_key(sweep);
    td_text_print(text, "%-*s  %7s  %11s  %11s  %10s  %s\n", width, "RUN", "KERNELS", "BLOCKS",
                  "WASTED", "BUFFERS", "GRIDS");
    for (size_t i = 0; i < sweep->run_count; i++) {
        if (!sweep->runs[i].unrecorded) {
            add_run(text, &sweep->runs[i], width, inexact);
        }
    }
}

/* ---- as data ---- */

static td_status report_group(td_report *report, const td_group *group, bool inexact,
                              td_error *error)
{
    td_result *results = NULL;
    TRY(td_allocate(&results, group->count, sizeof *results, error, "the runs of a group"));
    for (size_t r = 0; r < group->count; r++) {
        td_plan plan;
        results[r] = planned_result(&group->runs[r], inexact, &plan);
        td_plan_free(&plan);
    }
    const td_status status = td_report_group(report, group, results, error);
    free(results);
    return status;
}

td_status td_dry_run(const td_options *options, const td_sweep *sweep, td_report *report,
                     td_error *error)
{
    const bool inexact = options->protocol.inexact;
    td_environment environment = {0};
    if (report == NULL) {
        td_text text = {0};
        add_runs(sweep, inexact, &text);
        return td_terminal_print(&text, "--dry-run", error);
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
