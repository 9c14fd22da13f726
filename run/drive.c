#include "drive.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/core/shared.h"

bool td_drive_is_first(const td_sweep_drive *d)
{
    return d->options->part == 0;
}

const td_group *td_drive_group(const td_sweep_drive *d)
{
    const size_t group = d->heartbeat->group;
    return group < d->sweep.group_count ? &d->sweep.groups[group] : NULL;
}

size_t td_drive_open_runs(const td_sweep_drive *d)
{
    const td_group *group = td_drive_group(d);
    size_t count = 0;
    for (size_t r = 0; group != NULL && r < group->count; r++) {
        count += d->results[r].status == TD_RUN_OK;
    }
    return count;
}

/* Preset the statuses: runs that are skipped or already done do not run. */
static void begin_group(td_sweep_drive *d)
{
    const td_group *group = td_drive_group(d);
    bool any_open = false;
    for (size_t r = 0; group != NULL && r < group->count; r++) {
        const td_run *run = &group->runs[r];
        const bool is_left_out = run->skip[0] != '\0' || (run->unrecorded && !run->is_baseline);
        d->results[r] = (td_result){.status = is_left_out ? TD_RUN_SKIPPED : TD_RUN_OK};
        any_open = any_open || (!is_left_out && !run->unrecorded);
    }
    for (size_t r = 0; group != NULL && !any_open && r < group->count; r++) {
        d->results[r].status = TD_RUN_SKIPPED; /* a baseline with nothing left to compare with */
    }
}

static size_t largest_group(const td_sweep *sweep)
{
    size_t most = 1;
    for (size_t g = 0; g < sweep->group_count; g++) {
        most = sweep->groups[g].count > most ? sweep->groups[g].count : most;
    }
    return most;
}

td_status td_drive_share(td_sweep_drive *d, td_error *error)
{
    td_drive_unshare(d);
    d->results_bytes = largest_group(&d->sweep) * sizeof *d->results;
    d->summary_bytes = td_summary_bytes(d->sweep.group_count);
    d->heartbeat = td_shared_calloc(sizeof *d->heartbeat);
    d->progress = td_shared_calloc(sizeof *d->progress);
    d->results = td_shared_calloc(d->results_bytes);
    d->summary = td_shared_calloc(d->summary_bytes);
    if (d->heartbeat == NULL || d->progress == NULL || d->results == NULL || d->summary == NULL) {
        td_drive_unshare(d);
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the results of a group");
    }
    td_heartbeat_open(d->heartbeat);
    begin_group(d);
    return TD_OK;
}

void td_drive_unshare(td_sweep_drive *d)
{
    td_shared_free(d->heartbeat, sizeof *d->heartbeat);
    td_shared_free(d->progress, sizeof *d->progress);
    td_shared_free(d->results, d->results_bytes);
    td_shared_free(d->summary, d->summary_bytes);
    d->heartbeat = NULL;
    d->progress = NULL;
    d->results = NULL;
    d->summary = NULL;
}

/* Note the exit status that the runs ask for; the first one stands. In a search a run that fails, because it does not
 * fit for instance, is no failure as long as another one works; a wrong result always is. */
static void note_worst(td_sweep_drive *d, const td_group *group)
{
    bool any_works = false;
    for (size_t r = 0; r < group->count; r++) {
        any_works = any_works || d->results[r].status == TD_RUN_OK;
    }
    for (size_t r = 0; r < group->count; r++) {
        const td_status error = d->results[r].error;
        const bool counts = !d->options->tune || !any_works || error == TD_WRONG;
        if (d->heartbeat->worst == TD_OK && counts) {
            d->heartbeat->worst = error;
        }
    }
}

static void show_results(td_sweep_drive *d, const td_group *group)
{
    td_summary_add(d->summary, d->heartbeat->group, group, d->results);
    for (size_t r = 0; r < group->count; r++) {
        td_progress_result(d->progress, &group->runs[r], &d->results[r]);
    }
}

td_status td_drive_end_group(td_sweep_drive *d, td_error *error)
{
    const td_group *group = td_drive_group(d);
    td_heartbeat_enter(d->heartbeat, 0, TD_PHASE_WRITE);
    td_progress_writing(d->progress);
    const td_status status = td_report_group(d->report, group, d->results, error);
    if (td_drive_is_first(d)) {
        show_results(d, group);
    }
    note_worst(d, group);
    for (size_t r = 0; r < group->count; r++) {
        td_result_free(&d->results[r]);
    }
    d->heartbeat->group++;
    begin_group(d);
    td_heartbeat_enter(d->heartbeat, 0, "");
    return status;
}

void td_drive_forget_samples(td_sweep_drive *d)
{
    const td_group *group = td_drive_group(d);
    for (size_t r = 0; group != NULL && r < group->count; r++) {
        td_result *result = &d->results[r];
        result->sample_ms = NULL;
        result->sample_count = 0;
        result->part_results = NULL;
        result->part_count = 0;
        if (result->status == TD_RUN_OK) {
            *result = (td_result){.started_unix_s = result->started_unix_s};
        }
    }
}
