/* drive_tune.c - one search of --tune: measure its trials, then the winner as an ordinary group. */
#include "drive.h"
#include "engine/core/signals.h"
#include "space.h"
#include "tune.h"

static td_status measure_trials(void *context, const td_group *group, const td_protocol *protocol,
                                td_result *results, td_error *error)
{
    const td_sweep_drive *d = context;
    td_protocol trial = *protocol;
    trial.energy = false; /* counted for the winner only */
    trial.setups = 1;     /* likewise */
    td_worker_set_protocol(d->worker, &trial);
    return td_worker_group(d->worker, group, results, error);
}

/* A wrong result sets the exit status even if the run would not have won. A run that does not fit is not a failure. */
static td_status tell_trial(void *context, const td_trial *trial, const td_result *result,
                            td_error *error)
{
    td_sweep_drive *d = context;
    if (result->error == TD_WRONG) {
        td_drive_note_worst(d, TD_WRONG);
    }
    if (d->trial_error == TD_OK) {
        d->trial_error = result->error;
    }
    td_progress_result(&d->progress, trial->run, result);
    td_progress_writing(&d->progress);
    return td_report_trial(d->report, trial, error);
}

static void expect_trials(void *context, td_trial *const *trials, size_t count)
{
    td_sweep_drive *d = context;
    for (size_t i = 0; i < count; i++) {
        td_progress_expect(&d->progress, trials[i]->run);
    }
}

static bool recall_trial(void *context, td_trial *trial)
{
    const td_sweep_drive *d = context;
    return td_done_trial(d->done, trial);
}

/* Measure the winner and its baseline as they would be measured without a search. */
static td_status record_winner(td_sweep_drive *d, const td_run *winner, td_error *error)
{
    td_sweep sweep;
    TRY(td_sweep_of_one(d->options, winner, &sweep, error));
    td_input_attach(&d->input, &sweep);
    td_worker_set_protocol(d->worker, &d->options->protocol);
    const td_status status = td_drive_group(d, &sweep.groups[0], error);
    td_sweep_free(&sweep);
    return status;
}

td_status td_drive_tune(td_sweep_drive *d, const td_group *space, td_error *error)
{
    const td_tuner tuner = {.context = d,
                            .protocol = &d->options->protocol,
                            .earlier = &d->earlier,
                            .exhaustive = d->options->exhaustive,
                            .measure = measure_trials,
                            .tell = tell_trial,
                            .expect = expect_trials,
                            .recall = recall_trial};
    td_tuning tuning;
    d->trial_error = TD_OK;
    td_status status = td_tune(&tuner, space, &tuning, error);
    if (status == TD_OK && tuning.winner != NULL) {
        status = record_winner(d, tuning.winner, error);
    } else if (status == TD_OK && td_signals_stop() == 0) {
        /* no run of the space works; --resume does not recall why */
        td_drive_note_worst(d, d->trial_error != TD_OK ? d->trial_error : TD_FAILED);
    }
    if (td_signals_stop() != 0) {
        tuning.winner = NULL; /* --resume continues this search */
    }
    if (status == TD_OK) {
        td_progress_writing(&d->progress);
        status = td_report_tuning(d->report, &tuning, error);
    }
    td_tuning_free(&tuning);
    return status;
}
