/*
 * tune.h - the search for the fastest run of a group: successive halving.
 *
 * Where N is large, two kinds of runs are left out: those that take far longer than the fastest at N / 4, and those
 * that took far longer under the first map. Each of the others is tried with one sample. Then
 * half of them, and any that are far behind, are dropped each time the samples double; the last few are measured fully.
 * A trial of an automaton makes only a few launches, which all take equally long, and its time is scaled. A run that an
 * earlier invocation tried, according to --resume, needs no short trial.
 *
 * Source  Karnin, Koren & Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013
 */
#pragma once

#include "drive.h"

/*
 * The most runs that are measured fully. On a GPU a dozen may be within a percent of each other, and a measurement is
 * short; on a host it takes seconds.
 */
enum { TD_FINALISTS = 16, TD_FINALISTS_ON_HOST = 5 };

/*
 * td_tune - find the fastest run of a space.
 *
 * Output  tuning: call td_tuning_free, after an error too
 * Errors  those of td_worker_group and td_report_trial; a run that fails is only a trial that is not ok
 */
td_status td_tune(td_sweep_drive *drive, const td_group *space, td_tuning *tuning, td_error *error);

void td_tuning_free(td_tuning *tuning);

/* Free the times and forget them. */
void td_earlier_forget(td_earlier *earlier);
