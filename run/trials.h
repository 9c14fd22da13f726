/* trials.h - the trials of a search: how some of them are measured, and what becomes of a result. */
#ifndef TD_RUN_TRIALS_H
#define TD_RUN_TRIALS_H

#include "tune.h"

/* A search under way. */
typedef struct td_search {
    const td_tuner *tuner;
    td_tuning *tuning;
    td_trial **list; /* of those that are still in, the fastest first */
    td_trial **open; /* of those, what is to be measured next */
    double
        *small_ms; /* of each run of the space, at a smaller N; NaN: it failed or was not tried */
    double fastest_ms; /* what the fastest run takes, as far as is known; 0: nothing is */
    td_error *error;
} td_search;

/* Whether one sample of a run says as much as the next; on a host anything may come between. */
bool td_search_is_steady(const td_search *t);

/* Of a trial that takes so many samples, one after the other of several runs. */
td_protocol td_trial_protocol(const td_search *t, uint32_t samples, bool verify);

/* Of a finalist. */
td_protocol td_trial_full_protocol(const td_search *t);

/* A trial is over: note its result. */
void td_trial_settle(td_trial *trial, const td_result *result);

/*
 * td_trials_measure - measure the first `count` of t->open, group by group, and tell their results; where n is not 0,
 * at that N, and note their times in t->small_ms instead.
 */
td_status td_trials_measure(const td_search *t, size_t count, uint32_t n,
                            const td_protocol *protocol);

#endif
