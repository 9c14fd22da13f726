/* trials.h - the trials of a search: measure some of them, note their results. */
#pragma once

#include "tune.h"

/* The state of a search. */
typedef struct td_search {
    td_sweep_drive *drive;
    td_tuning *tuning;
    td_trial **list;   /* the trials that are still in, fastest first */
    td_trial **open;   /* those of the list to be measured next */
    double *small_ms;  /* per run of the space, at a smaller N; NaN: failed or not tried */
    double fastest_ms; /* time of the fastest run so far; 0: not known */
    td_error *error;
} td_search;

/* Whether one sample of a run is as good as the next. On a host, other work may disturb any of them. */
bool td_search_is_steady(const td_search *t);

/* The protocol of a short trial with this many samples; the trials of several runs follow each other. */
td_protocol td_trial_protocol(const td_search *t, uint32_t samples, bool verify);

/* The protocol of the full trials of so many finalists. */
td_protocol td_trial_full_protocol(const td_search *t, size_t finalists);

/* A trial is over: note its result and report it. Errors: those of td_report_trial */
td_status td_trial_end(const td_search *t, td_trial *trial, const td_result *result);

/*
 * td_trials_measure - measure the first `count` of t->open, group by group, and tell their results. If n is not 0,
 * measure at that N and note the times in t->small_ms instead.
 */
td_status td_trials_measure(const td_search *t, size_t count, uint32_t n,
                            const td_protocol *protocol);
