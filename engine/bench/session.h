/* session.h - the state of a group while it runs, shared by the files that run it. */
#pragma once

#include "engine/core/pulse.h"
#include "group.h"

typedef struct td_session {
    td_engine *engine;
    const td_protocol *protocol;
    const td_group *group;
    const td_observer *observer;
    td_result *results;
    td_plan *plans;
    td_prepared **prepared;
    td_buffers buffers;
    size_t beating;             /* the run of td_session_pulse */
    const char *beats;          /* its phase */
    td_buffers visits;          /* for workloads that are verified by counting visits */
    double **own_ms;            /* per run, its samples in this process */
    td_telemetry before, after; /* around the samples */
    td_share share;
} td_session;

/* Whether a run of the group has neither failed nor been skipped so far. */
bool td_session_is_open(const td_session *session, size_t run);

/* The number of such runs. */
size_t td_session_open_runs(const td_session *session);

/* Tell the observer that a run starts a phase. */
void td_session_tell(const td_session *session, size_t run, const char *phase);

/* Start a phase that may take longer than --timeout: each beat of the pulse starts it anew. One pulse at a time. */
td_pulse td_session_pulse(td_session *session, size_t run, const char *phase);

/* Record that a run failed, and why. */
void td_fail_run(td_result *result, td_status status, const td_error *error);

/* The same after a failure of the engine: if no further call can succeed, it also tells the observer. */
void td_session_failed(td_session *session, size_t run, td_status status, const td_error *error);

/* Whether outputs are verified. */
bool td_session_verifies(const td_session *session);

/* Go once through all open runs: verify or dump; warm up; sample. */
void td_session_verify(td_session *session);
void td_session_warm_up(td_session *session);
void td_session_sample(td_session *session);

/* Measure the energy of every run that was sampled. */
void td_session_measure_energy(td_session *session);
