#include "driver.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "engine/core/process.h"
#include "engine/core/signals.h"
#include "report/terminal.h"
#include "report/view/view.h"

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

td_status td_drive_begin(td_sweep_drive *d, td_error *error)
{
    size_t most = 1;
    for (size_t g = 0; g < d->sweep.group_count; g++) {
        most = d->sweep.groups[g].count > most ? d->sweep.groups[g].count : most;
    }
    TRY(td_allocate_shared(&d->results, most * sizeof *d->results, "the results", error));
    TRY(td_progress_start(&d->progress, &d->sweep, d->options, error));
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

/* ---- before the first run ---- */

static td_status open_outputs(td_sweep_drive *d, td_error *error)
{
    const td_options *options = d->options;
    if (!td_options_want_plan_in_words(options)) {
        td_signals_catch_stops();
    }
    if (options->dump != NULL && options->action == TD_ACTION_RUN && td_drive_is_first(d)) {
        const td_status opened = td_new_file_open(options->dump, &d->dump, error);
        TRY(td_name_option(error, opened, "dump"));
    }
    if (td_options_want_plan_in_words(options)) {
        return TD_OK;
    }
    return td_report_open(options, d->sweep.shard.count > 0 ? &d->sweep : NULL, &d->report, error);
}

/* Plan the sweep. Finds everything that is wrong with a command line before anything is measured. */
static td_status plan(td_sweep_drive *d, td_error *error)
{
    const td_options *options = d->options;
    td_done_free(&d->done); /* the plan for an engine that did not open */
    td_sweep_free(&d->sweep);
    TRY(td_sweep_make(options, &d->input, d->engine, &d->sweep, error));
    if (options->shard_count > 0) {
        td_sweep_shard(&d->sweep, options->shard_index, options->shard_count);
    }
    if (options->resume != NULL) {
        TRY(td_done_mark(options, &d->sweep, &d->done, error));
    }
    return TD_OK;
}

/* After a failure, ask whether the engine is usable, if that was only assumed. True: another one takes its place. */
static bool choose_again(td_sweep_drive *d)
{
    const td_engine_ops *before = d->engine;
    if (d->assumed) {
        d->assumed = false;
        d->engine = td_choose_engine(d->options);
    }
    return d->engine != before;
}

static td_status prepare(td_sweep_drive *d, td_error *error)
{
    TRY(td_ranks_agree(d->ranks, td_input_open(d->options, &d->input, error), error));
    TRY(td_ranks_same(d->ranks, d->input.digest.low, "--input", error));
    td_status status = plan(d, error);
    if (status != TD_OK && choose_again(d)) {
        status = plan(d, error);
    }
    TRY(status);
    return open_outputs(d, error);
}

/* Called when nothing can reject the command line any more, because a rejection prints one line only. */
void td_drive_print_plan(const td_sweep_drive *d)
{
    if (d->options->verbosity >= 0 && td_drive_is_first(d) && d->options->resume != NULL) {
        td_say("%zu of %zu runs are done in '%s'", d->done.count, d->sweep.run_count,
               d->options->resume);
    }
}

static td_status run_sweep(td_sweep_drive *d, td_error *error)
{
    TRY(td_drive_begin(d, error));
    const td_status status = td_watch(d, error);
    td_progress_clear(&d->progress);
    return status;
}

static td_status execute(td_sweep_drive *d, td_error *error)
{
    /* after the choice of the engine, because detecting an engine forks */
    TRY(td_rank_start(d, error));
    TRY(td_ranks_agree(d->ranks, prepare(d, error), error));
    if (d->options->action == TD_ACTION_DRY_RUN) {
        td_drive_print_plan(d);
        return td_drive_is_first(d) ? td_dry_run(d->options, &d->sweep, d->report, error) : TD_OK;
    }
    td_status status = run_sweep(d, error);
    if (status != TD_OK && !d->heartbeat.recorded && choose_again(d)) {
        TRY(plan(d, error));
        status = run_sweep(d, error);
    }
    return status;
}

/* Take the time before closing, which takes too little of it to matter. */
static td_status finish(td_sweep_drive *d, td_status status, td_error *error)
{
    td_error at_close;
    td_timing timing = d->heartbeat.timing;
    timing.wall_s = td_now_s() - d->start_s;
    const td_status closed =
        d->report != NULL ? td_report_close(d->report, &timing, &at_close) : TD_OK;
    if (d->progress.done > 0 && d->options->verbosity >= 0 &&
        (d->progress.terminal || d->options->tune)) {
        td_progress_summarise(&d->progress, td_now_s() - d->progress.start_s, stderr);
    }
    if (status == TD_OK && closed != TD_OK) {
        *error = at_close;
        status = closed;
    }
    td_new_file_discard(&d->dump);
    td_done_free(&d->done);
    td_sweep_free(&d->sweep);
    td_input_close(&d->input);
    if (!td_drive_is_first(d) && status != TD_OK) {
        error->text[0] = '\0'; /* rank 0 prints it */
    }
    if (td_signals_stop() == 0) { /* else other ranks may be gone, and closing waits for them */
        td_ranks_close(d->ranks);
    }
    return status;
}

td_status td_drive(td_options *options, td_error *error)
{
    td_sweep_drive *d = NULL;
    TRY(td_allocate_shared(&d, sizeof *d, "the state of a sweep", error));
    d->options = options;
    d->start_s = td_now_s();
    d->engine = td_assume_engine(options);
    d->assumed = d->engine != NULL;
    d->engine = d->assumed ? d->engine : td_choose_engine(options);
    td_signals_catch();
    const td_status status = finish(d, execute(d, error), error);
    const td_status worst = d->heartbeat.worst;
    if (status == TD_OK && worst != TD_OK && td_drive_is_first(d)) {
        snprintf(error->text, sizeof error->text, "not every run succeeded");
    }
    return worst != TD_OK ? worst : status; /* the first failure */
}
