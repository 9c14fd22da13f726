#include "driver.h"

#include <stdio.h>
#include <stdlib.h>

#include "crew.h"
#include "engine/core/clock.h"
#include "engine/core/signals.h"
#include "engine/dump/dump.h"
#include "engine/dump/snapshots.h"
#include "engine/host.h"
#include "engine/sweep/sweep.h"
#include "engine/tune/space.h"
#include "engine/worker/keeper.h"
#include "engine/worker/worker.h"
#include "input_share.h"

/* Everything that a sweep holds open. */
typedef struct drive {
    td_options *options;
    const td_drive_hooks *hooks;
    const td_engine_ops *engine;
    td_input input;
    td_sweep sweep;   /* of --tune: all that can be tried, a group for each target */
    td_memory memory; /* of --tune with --resume */
    size_t done;      /* of --resume, in runs */
    td_new_file dump;
    td_sink sink;      /* zeroed until it is opened */
    td_keeper *keeper; /* of the clocks; NULL: they are not locked */
    td_worker *worker;
    td_ranks *ranks;                  /* NULL: this process is on its own */
    char device[TD_CREW_DEVICE_SIZE]; /* of this rank */
    td_status worst;                  /* the first of wrong, out of memory, failed */
} drive;

/* ---- before the first run ---- */

const td_engine_ops *td_choose_engine(const td_options *options)
{
    td_error why;
    const td_engine_ops *engine = td_engine_resolve(options->engine, options->device, &why);
    if (why.text[0] != '\0' && options->verbosity > 0) {
        fprintf(stderr, "tribench: on the %s engine: %s\n", engine->name, why.text);
    }
    return engine;
}

/* Rank 0 alone writes and tells. */
static bool is_first(const drive *d)
{
    return d->options->rank_index == 0;
}

static td_status open_outputs(drive *d, td_error *error)
{
    const td_options *options = d->options;
    if (!td_options_want_plan_in_words(options)) {
        td_signals_catch_stops();
    }
    if (options->dump != NULL && options->action == TD_ACTION_RUN && is_first(d)) {
        const td_status opened = td_new_file_open(options->dump, &d->dump, error);
        TRY(td_name_option(error, opened, "dump"));
    }
    if (options->frames != NULL && options->action == TD_ACTION_RUN) {
        TRY(td_snapshots_open(options->frames, error));
    }
    if (td_options_want_plan_in_words(options)) {
        return TD_OK;
    }
    if (!is_first(d)) {
        d->sink = td_no_sink;
        return TD_OK;
    }
    TRY(d->hooks->open(options, &d->sink, error));
    if (d->sweep.shard.count > 0 && d->sink.shard != NULL) {
        d->sink.shard(d->sink.context, &d->sweep);
    }
    return TD_OK;
}

/* All that can be wrong with a command line is found here, before anything is measured. */
static td_status prepare(drive *d, td_error *error)
{
    td_options *options = d->options;
    TRY(td_input_share(d->ranks, options, &d->input, error));
    TRY(options->tune ? td_tune_space(options, d->engine, &d->sweep, error)
                      : td_sweep_make(options, d->engine, &d->sweep, error));
    td_input_attach(&d->input, &d->sweep);
    if (options->shard_count > 0) {
        if (options->tune) {
            td_tune_shard(&d->sweep, options->shard_index, options->shard_count);
        } else {
            TRY(td_sweep_shard(&d->sweep, options->shard_index, options->shard_count,
                               &options->protocol, error));
        }
    }
    if (options->resume != NULL) {
        TRY(options->tune ? d->hooks->remember(options, &d->sweep, &d->memory, error)
                          : d->hooks->resume(options, &d->sweep, &d->done, error));
    }
    if (options->lock_clocks != NULL) {
        TRY(td_keeper_check(d->engine, error));
    }
    return open_outputs(d, error);
}

/* Behind all that can be rejected: a refusal is one line. */
static void tell_done(const drive *d)
{
    const td_options *options = d->options;
    if (options->resume != NULL && options->verbosity >= 0 && is_first(d)) {
        fprintf(stderr, "tribench: %zu of %zu %s are done in '%s'\n",
                options->tune ? d->memory.run_count : d->done, d->sweep.run_count,
                options->tune ? "trials" : "runs", options->resume);
    }
}

/* ---- ranks ---- */

/* From the thread that watches: what is left of an invocation that ends here and now. */
static void lose(void *context, const td_group *group, td_result *results)
{
    drive *d = context;
    td_error error;
    if (group != NULL) {
        (void)d->sink.group(d->sink.context, group, results, &error);
    }
    if (d->sink.close != NULL && d->sink.close(d->sink.context, &error) != TD_OK) {
        fprintf(stderr, "tribench: %s\n", error.text);
    }
}

/* ---- the worker ---- */

static bool stopped(void *context)
{
    const td_watcher *watcher = &((const drive *)context)->hooks->watcher;
    if (td_signals_take_progress() && is_first(context)) {
        watcher->now(watcher->context);
    }
    return td_signals_stop() != 0;
}

static void tell_phase(void *context, const td_run *run, const char *phase)
{
    const td_watcher *watcher = &((const drive *)context)->hooks->watcher;
    if (is_first(context)) {
        watcher->phase(watcher->context, run, phase);
    }
}

/* In the worker: what --dump and --frames need of the one run. */
static td_status write_output(void *context, const td_run *run, td_buffers *buffers,
                              td_error *error)
{
    drive *d = context;
    const td_options *options = d->options;
    if (options->dump != NULL) {
        TRY(td_dump_write(&d->dump, run, buffers, error));
    }
    return options->frames != NULL
               ? td_snapshots_write(options->frames, options->every, run, buffers, error)
               : TD_OK;
}

static td_status open_worker(drive *d, td_error *error)
{
    const td_options *options = d->options;
    const td_worker_config config = {
        .ops = d->engine,
        .engine_config = {.device = d->device[0] != '\0' ? d->device : options->device,
                          .threads = td_crew_threads(d->options, d->ranks)},
        .protocol = options->protocol,
        .timeout_s = options->timeout_s,
        .context = d,
        .stopped = stopped,
        .progress = tell_phase,
        .output = options->dump != NULL || options->frames != NULL ? write_output : NULL,
        .ranks = d->ranks,
        .oversubscribe = options->oversubscribe,
        .lost = lose,
    };
    td_environment environment = {0};
    if (options->lock_clocks != NULL) {
        TRY(td_keeper_open(d->engine, options->device, options->lock_clocks, &d->keeper, error));
    }
    const td_status status = td_worker_open(&config, &d->worker, &environment, error);
    if (status != TD_OK && td_signals_stop() == 0) {
        return status;
    }
    if (status !=
        TD_OK) { /* stopped before the device answered: the output is whole all the same */
        td_describe_host(&environment);
    }
    snprintf(environment.clock_lock, sizeof environment.clock_lock, "%s",
             options->lock_clocks != NULL ? options->lock_clocks : "");
    return td_ranks_agree(d->ranks, d->sink.environment(d->sink.context, &environment, error),
                          error);
}

/* ---- groups ---- */

/* Statuses before the group runs: what is skipped or done already is not run. */
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
        if (results[r].status == TD_RUN_OK) { /* a baseline with nobody left to compare with */
            results[r].status = TD_RUN_SKIPPED;
        }
    }
}

static void note_worst(drive *d, td_status status)
{
    if (d->worst == TD_OK) {
        d->worst = status;
    }
}

static void finish_run(drive *d, const td_run *run, td_result *result)
{
    const td_watcher *watcher = &d->hooks->watcher;
    note_worst(d, result->error);
    if (!d->options->tune && is_first(d)) { /* with --tune the trials were what was waited for */
        watcher->result(watcher->context, run, result);
    }
    td_result_free(result);
}

static void tell_writing(const drive *d)
{
    d->hooks->watcher.writing(d->hooks->watcher.context);
}

static td_status run_group(drive *d, const td_group *group, td_error *error)
{
    td_result *results = calloc(group->count, sizeof *results);
    if (results == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the results of a group");
    }
    preset(group, results);
    td_error ignored;
    const td_status status = td_worker_group(d->worker, group, results, error);
    tell_writing(d);
    const td_status written =
        d->sink.group(d->sink.context, group, results, status == TD_OK ? error : &ignored);
    for (size_t r = 0; r < group->count; r++) {
        finish_run(d, &group->runs[r], &results[r]);
    }
    free(results);
    return td_ranks_agree(d->ranks, status != TD_OK ? status : written, error);
}

/* ---- --tune ---- */

static td_status measure_trials(void *context, const td_group *group, const td_protocol *protocol,
                                td_result *results, td_error *error)
{
    const drive *d = context;
    td_protocol trial = *protocol;
    trial.energy = false; /* the winner's will be counted */
    trial.setups = 1;     /* likewise */
    td_worker_set_protocol(d->worker, &trial);
    return td_worker_group(d->worker, group, results, error);
}

/* A wrong result is told by the exit status, whether it would have won or not; what does not fit is no failure. */
static td_status tell_trial(void *context, const td_trial *trial, const td_result *result,
                            td_error *error)
{
    drive *d = context;
    const td_watcher *watcher = &d->hooks->watcher;
    if (result->error == TD_WRONG) {
        note_worst(d, TD_WRONG);
    }
    if (trial->stage == TD_STAGE_SHORT) {
        watcher->result(watcher->context, trial->run, result);
    }
    tell_writing(d);
    return d->sink.trial(d->sink.context, trial, error);
}

static bool recall_trial(void *context, td_trial *trial)
{
    const td_memory *memory = &((const drive *)context)->memory;
    return memory->context != NULL && memory->trial(memory->context, trial);
}

/* The winner as it would have been measured without a search, its baseline beside it. */
static td_status record_winner(drive *d, const td_run *winner, td_error *error)
{
    td_sweep sweep;
    TRY(td_tune_ordinary(d->options, winner, &sweep, error));
    td_input_attach(&d->input, &sweep);
    td_worker_set_protocol(d->worker, &d->options->protocol);
    const td_status status = run_group(d, &sweep.groups[0], error);
    td_sweep_free(&sweep);
    return status;
}

static td_status tune_group(drive *d, const td_group *space, td_error *error)
{
    const td_tuner tuner = {.context = d,
                            .protocol = &d->options->protocol,
                            .measure = measure_trials,
                            .tell = tell_trial,
                            .recall = recall_trial,
                            .stopped = stopped};
    td_tuning tuning;
    td_status status = td_tune(&tuner, space, &tuning, error);
    if (status == TD_OK && tuning.winner != NULL) {
        status = record_winner(d, tuning.winner, error);
    } else if (status == TD_OK && td_signals_stop() == 0) {
        note_worst(d, TD_FAILED); /* of all that can be tried nothing works */
    }
    if (td_signals_stop() != 0) {
        tuning.winner = NULL; /* --resume goes on with this one */
    }
    if (status == TD_OK) {
        tell_writing(d);
        status = d->sink.tuning(d->sink.context, &tuning, error);
    }
    td_tuning_free(&tuning);
    return status;
}

static bool is_tuned(const drive *d, const td_group *space)
{
    return d->memory.context != NULL && d->memory.is_tuned(d->memory.context, space);
}

/* ---- the whole ---- */

static td_status run_groups(drive *d, td_error *error)
{
    const td_watcher *watcher = &d->hooks->watcher;
    td_status status = TD_OK;
    for (size_t g = 0; status == TD_OK && g < d->sweep.group_count && td_signals_stop() == 0; g++) {
        const td_group *group = &d->sweep.groups[g];
        if (!d->options->tune) {
            status = run_group(d, group, error);
        } else if (!is_tuned(d, group)) {
            status = tune_group(d, group, error);
        }
    }
    if (is_first(d)) {
        watcher->end(watcher->context);
    }
    return status;
}

static td_status execute(drive *d, td_error *error)
{
    const td_watcher *watcher = &d->hooks->watcher;
    d->engine = td_choose_engine(d->options);
    /* behind the engine: finding one out forks */
    TRY(td_crew_join(d->options, d->engine, &d->ranks, d->device, error));
    TRY(td_ranks_agree(d->ranks, prepare(d, error), error));
    tell_done(d);
    if (d->options->action == TD_ACTION_DRY_RUN) {
        return is_first(d) ? d->hooks->dry_run(d->options, &d->sweep, &d->sink, error) : TD_OK;
    }
    if (is_first(d)) {
        watcher->start(watcher->context, &d->sweep, d->options->verbosity);
    }
    TRY(open_worker(d, error));
    return run_groups(d, error);
}

/* The time is told when the runs are over: closing takes none worth telling. */
static td_status finish(drive *d, double start_s, td_status status, td_error *error)
{
    td_error at_close;
    td_status closed = TD_OK;
    td_timing timing = td_worker_timing(d->worker);
    timing.wall_s = td_now_s() - start_s;
    if (d->sink.timing != NULL) {
        d->sink.timing(d->sink.context, &timing);
    }
    td_worker_close(d->worker);
    td_error at_unlock;
    const td_status unlocked = td_keeper_close(d->keeper, &at_unlock);
    if (status == TD_OK && unlocked != TD_OK) {
        *error = at_unlock;
        status = unlocked;
    }
    if (d->sink.close != NULL) {
        closed = d->sink.close(d->sink.context, &at_close);
    }
    if (status == TD_OK && closed != TD_OK) {
        *error = at_close;
        status = closed;
    }
    td_new_file_discard(&d->dump);
    if (d->memory.context != NULL) {
        d->memory.forget(d->memory.context);
    }
    td_sweep_free(&d->sweep);
    td_input_close(&d->input);
    if (!is_first(d) && status != TD_OK) {
        error->text[0] = '\0'; /* rank 0 says it */
    }
    if (td_signals_stop() == 0) { /* else the others may not be there to be waited for */
        td_ranks_close(d->ranks);
    }
    return status;
}

td_status td_drive(td_options *options, const td_drive_hooks *hooks, td_error *error)
{
    drive d = {.options = options, .hooks = hooks};
    const double start_s = td_now_s();
    td_signals_catch();
    const td_status status = finish(&d, start_s, execute(&d, error), error);
    if (status == TD_OK && d.worst != TD_OK && is_first(&d)) {
        snprintf(error->text, sizeof error->text, "not every run succeeded");
    }
    return d.worst != TD_OK ? d.worst : status; /* the first that occurred */
}
