#include "driver.h"

#include <stdio.h>

#include "drive.h"
#include "engine/core/clock.h"
#include "engine/core/process.h"
#include "engine/core/signals.h"
#include "report/format/record.h"
#include "report/terminal.h"
#include "report/view/view.h"

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
    if (td_options_want_plan_in_words(options) || !td_drive_is_first(d)) {
        return TD_OK;
    }
    return td_report_open(options, d->sweep.shard.count > 0 ? &d->sweep : NULL, &d->report, error);
}

/* Plan the sweep for the engine. Finds everything that is wrong with a command line before anything is measured. */
static td_status plan(td_sweep_drive *d, td_error *error)
{
    const td_options *options = d->options;
    TRY(td_sweep_make(options, &d->input, d->engine, &d->sweep, error));
    if (options->shard_count > 0) {
        td_sweep_shard(&d->sweep, options->shard_index, options->shard_count);
    }
    if (options->resume != NULL) {
        TRY(td_done_mark(options, &d->sweep, &d->done, error));
    }
    return TD_OK;
}

static td_status prepare(td_sweep_drive *d, td_error *error)
{
    const td_options *options = d->options;
    TRY(td_ranks_agree(d->ranks, td_input_open(options, &d->input, error), error));
    TRY(td_ranks_same(d->ranks, d->input.digest.low, "--input", error));
    TRY(plan(d, error));
    return open_outputs(d, error);
}

/* Called when nothing can reject the command line any more, because a rejection prints one line only. */
void td_drive_print_plan(const td_sweep_drive *d)
{
    const td_options *options = d->options;
    if (options->verbosity < 0 || !td_drive_is_first(d)) {
        return;
    }
    if (options->resume != NULL) {
        td_say("%zu of %zu runs are done in '%s'", d->done.count, d->sweep.run_count,
               options->resume);
    }
    if (options->action == TD_ACTION_RUN && !d->progress.terminal) {
        td_progress_print_skipped(&d->sweep);
    }
}

static td_status run_sweep(td_sweep_drive *d, td_error *error)
{
    TRY(td_drive_begin(d, error));
    if (td_drive_is_first(d)) {
        td_progress_start(&d->progress, &d->sweep, d->options);
    }
    const td_status status = td_watch(d, error);
    td_progress_clear(&d->progress);
    return status;
}

static td_status execute(td_sweep_drive *d, td_error *error)
{
    /* after the choice of the engine, because detecting an engine forks */
    TRY(td_rank_start(d->options, d->engine, &d->ranks, d->device, error));
    TRY(td_ranks_agree(d->ranks, prepare(d, error), error));
    if (d->options->action == TD_ACTION_DRY_RUN) {
        td_drive_print_plan(d);
        return td_drive_is_first(d) ? td_dry_run(d->options, &d->sweep, d->report, error) : TD_OK;
    }
    return run_sweep(d, error);
}

static void print_summary(td_sweep_drive *d)
{
    const td_progress *p = &d->progress;
    const bool is_wanted = d->options->verbosity >= 0 && (p->terminal || d->options->tune);
    td_text text = {0};
    if (is_wanted && d->summary.runs > 0) {
        td_summary_print(&d->summary, td_now_s() - p->start_s, &text);
        fputs(text.data != NULL ? text.data : "", stderr);
        td_text_free(&text);
    }
}

/* Take the time before closing, which takes too little of it to matter. */
static td_status finish(td_sweep_drive *d, td_status status, td_error *error)
{
    td_error at_close;
    td_timing timing = d->heartbeat.timing;
    timing.wall_s = td_now_s() - d->start_s;
    const td_status closed = td_report_close(d->report, &timing, &at_close);
    print_summary(d);
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
    d->engine = td_choose_engine(options);
    td_signals_catch();
    const td_status status = finish(d, execute(d, error), error);
    const td_status worst = d->heartbeat.worst;
    if (status == TD_OK && worst != TD_OK && td_drive_is_first(d)) {
        snprintf(error->text, sizeof error->text, "not every run succeeded");
    }
    return worst != TD_OK ? worst : status; /* the first failure */
}
