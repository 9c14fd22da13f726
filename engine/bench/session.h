/*
 * session.h - the state of a group while it runs: group.c goes through its phases, sampling.c warms its runs up,
 * rounds.c takes their samples.
 */
#pragma once

#include "group.h"

/* A run of the group. */
typedef struct td_member {
    const td_run *run;
    td_result *result; /* TD_RUN_OK: it is open, neither failed nor skipped so far */
    td_plan plan;
    td_execution execution;
    double whole; /* how many times as long the whole run takes as this execution */
    td_prepared *prepared;
    double only_ms; /* its only sample, taken by the warm-up; 0: the samples are taken later */
} td_member;

typedef struct td_session {
    td_engine *engine;
    const td_protocol *protocol;
    const td_observer *observer;
    td_member *members;
    size_t count;
    td_buffers buffers;
    td_buffers visits; /* for workloads that are verified by counting visits */
    td_share share;
    bool awake;              /* a run has just warmed the device up */
    double batch_ms, own_ms; /* of the last batch: of the slowest process, and of this one */
    td_telemetry before, after;
    bool crowded;          /* before or after sampling */
    const td_member *told; /* whose phase the observer was told last */
    const char *told_phase;
} td_session;

/* Something that is done with a run. */
typedef td_status td_step(td_session *session, td_member *member, td_error *error);

/*
 * td_session_take - take a step with a run that is open, and tell the observer its phase, unless that is NULL.
 *
 * If it fails, the run has failed; if no further call of the engine can succeed, the observer is told.
 *
 * Output  whether the step was taken and did not fail
 */
bool td_session_take(td_session *session, td_member *member, const char *phase, td_step *step);

/* Take a step with each run that is open. */
void td_session_each(td_session *session, const char *phase, td_step *step);

/* A step: find the batch, prepare it, and launch it until its time has settled; then there is room for samples. */
td_status td_warm_up(td_session *session, td_member *member, td_error *error);

/* A step: run and time a batch, at once in all processes that share the domain. Output: batch_ms, own_ms */
td_status td_time_batch(td_session *session, td_member *member, td_error *error);

/* Sample all open runs in rounds, once each is warm. */
void td_session_sample(td_session *session);

/* Whether a batch of an execution is launched as a graph. */
bool td_takes_graph(const td_engine *engine, const td_execution *execution, uint32_t batch);
