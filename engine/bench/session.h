/* session.h - a group being run: what the files that run it share. */
#ifndef TD_ENGINE_BENCH_SESSION_H
#define TD_ENGINE_BENCH_SESSION_H

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
    uint32_t setup;             /* the one at hand, from 0 */
    size_t beating;             /* the run of td_session_pulse */
    const char *beats;          /* its phase */
    td_buffers visits;          /* for workloads that are verified by counting them */
    double **own_ms;            /* of each run, its samples on this rank; with --ranks only */
    td_telemetry before, after; /* the samples of this set-up, as they were last taken */
    td_share share;
} td_session;

/* Whether a run of the group has neither failed nor been skipped so far. */
bool td_session_is_open(const td_session *session, size_t run);

/* How many have not. */
size_t td_session_open_runs(const td_session *session);

/* Tell the observer that a run starts a phase. */
void td_session_tell(const td_session *session, size_t run, const char *phase);

/* The run starts a phase that may take longer than --timeout, and starts it anew with each beat. One at a time. */
td_pulse td_session_pulse(td_session *session, size_t run, const char *phase);

/* Note why a run failed. */
void td_fail_run(td_result *result, td_status status, const td_error *error);

/* The same where the engine failed: when nothing can succeed any more, the observer is told. */
void td_session_failed(td_session *session, size_t run, td_status status, const td_error *error);

/* How often the group is set up, and whether its outputs are verified. */
uint32_t td_session_setups(const td_session *session);
bool td_session_verifies(const td_session *session);

/* Once through all open runs of a set-up: verify or dump; warm up; sample. */
void td_session_verify(td_session *session);
void td_session_warm_up(td_session *session);
void td_session_sample(td_session *session);

/* The energy of every run that was sampled. */
void td_session_measure_energy(td_session *session);

#endif
