#include "drive.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/process.h"

/* Held while a phase begins: with --ranks, a thread watches the one that runs the sweep. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool td_drive_is_first(const td_sweep_drive *d)
{
    return d->options->part == 0;
}

const td_group *td_drive_group(const td_sweep_drive *d)
{
    const size_t group = d->heartbeat.group;
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

td_status td_drive_begin(td_sweep_drive *d, td_error *error)
{
    const td_sweep *sweep = &d->sweep;
    d->heartbeat = (td_heartbeat){.status = TD_OK};
    d->summary = (td_sweep_summary){.runs = 0};
    TRY(td_allocate_shared(&d->results, largest_group(sweep) * sizeof *d->results, "the results",
                           error));
    TRY(td_allocate_shared(&d->summary.rows, (sweep->group_count + 1) * sizeof *d->summary.rows,
                           "the summary", error));
    begin_group(d);
    return TD_OK;
}

/* ---- phases ---- */

static double *time_of(td_timing *t, const char *phase, double *other)
{
    return strcmp(phase, "verify") == 0                                   ? &t->verify_s
           : strcmp(phase, "warm up") == 0                                ? &t->warm_up_s
           : strcmp(phase, "sample") == 0 || strcmp(phase, "energy") == 0 ? &t->sample_s
                                                                          : other;
}

void td_drive_enter(td_sweep_drive *d, size_t run, const char *phase)
{
    td_heartbeat *h = &d->heartbeat;
    pthread_mutex_lock(&lock);
    const double now = td_now_s();
    double other = 0.0;
    *time_of(&h->timing, h->phase, &other) += now - h->since_s;
    h->since_s = now;
    h->run = run;
    snprintf(h->phase, sizeof h->phase, "%s", phase);
    pthread_mutex_unlock(&lock);
}

void td_drive_hold(void)
{
    pthread_mutex_lock(&lock);
}

/* ---- the end of a group ---- */

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
        if (d->heartbeat.worst == TD_OK && counts) {
            d->heartbeat.worst = error;
        }
    }
}

td_status td_drive_end_group(td_sweep_drive *d, td_error *error)
{
    const td_group *group = td_drive_group(d);
    td_drive_enter(d, 0, TD_PHASE_WRITE);
    td_progress_clear(&d->progress);
    const td_status status = td_report_group(d->report, group, d->results, error);
    if (td_drive_is_first(d)) {
        td_summary_add(&d->summary, group, d->results);
        td_progress_group(&d->progress, group, d->results);
    }
    note_worst(d, group);
    for (size_t r = 0; r < group->count; r++) {
        td_result_free(&d->results[r]);
    }
    d->heartbeat.group++;
    begin_group(d);
    td_drive_enter(d, 0, "");
    return status;
}
