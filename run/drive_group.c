/* drive_group.c - run one group in the worker, report its results and show the progress. */
#include <stdlib.h>

#include "drive.h"
#include "engine/core/error.h"

bool td_drive_is_first(const td_sweep_drive *d)
{
    return d->options->part == 0;
}

/* Preset the statuses: runs that are skipped or already done do not run. */
static void preset(const td_group *group, td_result *results)
{
    bool any_open = false;
    for (size_t r = 0; r < group->count; r++) {
        const td_run *run = &group->runs[r];
        if (run->skip[0] != '\0' || (run->unrecorded && !run->is_baseline)) {
            results[r].status = TD_RUN_SKIPPED;
        }
        any_open = any_open || (results[r].status == TD_RUN_OK && !run->unrecorded);
    }
    for (size_t r = 0; !any_open && r < group->count; r++) {
        if (results[r].status == TD_RUN_OK) { /* a baseline with nothing left to compare with */
            results[r].status = TD_RUN_SKIPPED;
        }
    }
}

void td_drive_note_worst(td_sweep_drive *d, td_status status)
{
    if (d->worst == TD_OK) {
        d->worst = status;
    }
}

static void finish_run(td_sweep_drive *d, const td_run *run, td_result *result)
{
    td_drive_note_worst(d, result->error);
    if (!d->options->tune && td_drive_is_first(d)) { /* a search counts its trials only */
        td_progress_result(&d->progress, run, result);
    }
    td_result_free(result);
}

td_status td_drive_group(td_sweep_drive *d, const td_group *group, td_error *error)
{
    td_result *results = NULL;
    TRY(td_allocate(&results, group->count, sizeof *results, error, "the results of a group"));
    preset(group, results);
    td_error ignored;
    const td_status status = td_worker_group(d->worker, group, results, error);
    td_progress_writing(&d->progress);
    const td_status written =
        td_report_group(d->report, group, results, status == TD_OK ? error : &ignored);
    for (size_t r = 0; r < group->count; r++) {
        finish_run(d, &group->runs[r], &results[r]);
    }
    free(results);
    return td_ranks_agree(d->ranks, status != TD_OK ? status : written, error);
}
