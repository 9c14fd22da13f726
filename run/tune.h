/*
 * tune.h - the search for the fastest run of a group: successive halving.
 *
 * Where N is large, two kinds of runs are left out: those that take far longer than the fastest at N / 4, and those
 * that took far longer under the first map. Each of the others is tried with one sample. Then
 * half of them, and any that are far behind, are dropped each time the samples double; the last few are measured fully.
 * A trial of an automaton makes only a few launches, which all take equally long, and its time is scaled. The caller
 * hands in the functions that measure a group and that recall what an earlier invocation measured.
 *
 * Source  Karnin, Koren & Somekh, Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013
 */
#pragma once

#include "engine/sweep/trial.h"

/* Times from the search for one map, used by the search for the next map with the same workload and N. */
typedef struct td_earlier {
    const td_group *space; /* NULL: there was none */
    double *ms, *small_ms; /* per run of the space, at N and at N / 4; NaN: not known */
} td_earlier;

/*
 * The most runs that are measured fully. On a GPU a dozen may be within a percent of each other, and a measurement is
 * short; on a host it takes seconds.
 */
enum { TD_FINALISTS = 16, TD_FINALISTS_ON_HOST = 5 };

typedef struct td_tuner {
    void *context;
    const td_protocol *protocol; /* of the full runs */
    td_earlier *earlier;         /* in and out; its space must live as long as it does */
    bool exhaustive;             /* no run is dropped before its first sample */
    /* Measure the runs of a group, like td_worker_group. */
    td_status (*measure)(void *context, const td_group *group, const td_protocol *protocol,
                         td_result *results, td_error *error);
    /* A trial is over; the samples of its result are freed afterwards. */
    td_status (*tell)(void *context, const td_trial *trial, const td_result *result,
                      td_error *error);
    /* Another `count` trials, besides one per run of the space, are about to be measured. */
    void (*expect)(void *context, td_trial *const *trials, size_t count);
    /* Fill in the short trial of this run if an earlier invocation measured it. */
    bool (*recall)(void *context, td_trial *trial);
} td_tuner;

/*
 * td_tune - find the fastest run of a space.
 *
 * Output  tuning: call td_tuning_free, after an error too
 * Errors  those of measure and tell; a run that fails is only a trial that is not ok
 */
td_status td_tune(const td_tuner *tuner, const td_group *space, td_tuning *tuning, td_error *error);

void td_tuning_free(td_tuning *tuning);

void td_earlier_forget(td_earlier *earlier);
