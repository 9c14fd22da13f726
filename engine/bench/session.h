/* session.h - the state of a group while it runs: group.c goes through its phases, rounds.c takes its samples. */
#pragma once

#include "group.h"

/* What a run of the group needs besides its result. */
typedef struct td_member {
    td_plan plan;
    td_execution execution;
    double whole; /* how many times as long the whole run takes as this execution */
    td_prepared *prepared;
} td_member;

typedef struct td_session td_session;
struct td_session {
    td_engine *engine;
    const td_protocol *protocol;
    const td_group *group;
    const td_observer *observer;
    td_result *results;
    td_member *members; /* per run */
    td_buffers buffers;
    td_buffers visits; /* for workloads that are verified by counting visits */
    td_share share;
    bool awake;      /* a run has just warmed the device up */
    double batch_ms; /* of the last sample */
    td_telemetry before, after;
    bool crowded;    /* before or after sampling */
    size_t told_run; /* what the observer was told last */
    const char *told_phase;
};

/* Whether a run of the group has neither failed nor been skipped so far. */
bool td_session_is_open(const td_session *session, size_t run);

/* Something that is done with a run. */
typedef td_status td_step(td_session *session, size_t run, td_error *error);

/*
 * td_session_take - take a step with a run that is open, and tell the observer its phase, unless that is NULL.
 *
 * If it fails, the run has failed; if no further call of the engine can succeed, the observer is told.
 *
 * Output  whether the step was taken and did not fail
 */
bool td_session_take(td_session *session, size_t run, const char *phase, td_step *step);

/* Take a step with each run that is open. */
void td_session_each(td_session *session, const char *phase, td_step *step);

/* Sample all open runs in rounds, once each has its member's `prepared` and room for its samples. */
void td_session_sample(td_session *session);
