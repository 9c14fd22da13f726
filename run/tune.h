/*
 * tune.h - the search for the fastest run of a group: successive halving.
 *
 * Where N is large, runs that take twice as long as the fastest at a quarter of it are left out, and so are those that
 * took more than twice as long under the map before. Each of the others is tried with one sample. Then half of them,
 * and what is far behind, is dropped as often as the samples double; the last few are measured fully. Automata advance
 * as few generations in a trial as make launches alike, and the time is scaled. Who measures is handed in, and so is
 * who remembers what an earlier invocation measured.
 *
 * Source  Karnin, Koren & Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013
 */
#ifndef TD_RUN_TUNE_H
#define TD_RUN_TUNE_H

#include "engine/sweep/trial.h"

/* What the trials of a search for one map say to those of the next, for the same workload and N. */
typedef struct td_earlier {
    const td_group *space; /* NULL: there was none */
    double *ms, *small_ms; /* of each run of it, at N and at a quarter of it; NaN: not known */
} td_earlier;

typedef struct td_tuner {
    void *context;
    const td_protocol *protocol; /* of the full runs */
    td_earlier *earlier;         /* in and out; its spaces live as long as it does */
    bool exhaustive;             /* nothing is left out before its first sample */
    /* Measure the runs of a group: as td_worker_group. */
    td_status (*measure)(void *context, const td_group *group, const td_protocol *protocol,
                         td_result *results, td_error *error);
    /* A trial is over: its result, whose samples are freed afterwards. */
    td_status (*tell)(void *context, const td_trial *trial, const td_result *result,
                      td_error *error);
    /* So many trials, beside one of each run of the space, are about to be measured. */
    void (*expect)(void *context, td_trial *const *trials, size_t count);
    /* Fill in the short trial of this run, where an earlier invocation measured it. */
    bool (*recall)(void *context, td_trial *trial);
    bool (*stopped)(void *context);
} td_tuner;

/*
 * td_tune - find the fastest run of a space.
 *
 * Output  tuning: call td_tuning_free, after an error too
 * Errors  what measure and tell say; a run that fails is a trial that is not ok
 */
td_status td_tune(const td_tuner *tuner, const td_group *space, td_tuning *tuning, td_error *error);

void td_tuning_free(td_tuning *tuning);

void td_earlier_forget(td_earlier *earlier);

#endif
