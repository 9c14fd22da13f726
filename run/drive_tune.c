/* drive_tune.c - one search of --tune, then its winner as an ordinary group. */
#include "drive.h"
#include "engine/core/signals.h"
#include "tune.h"

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
    td_tuning tuning;
    d->trial_error = TD_OK;
    td_status status = td_tune(d, space, &tuning, error);
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
