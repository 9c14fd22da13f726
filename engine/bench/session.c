#include "session.h"

#include <stdio.h>

/* TD_USAGE becomes TD_FAILED: it is too late to reject the command line, as other runs may have been measured. */
void td_fail_run(td_result *result, td_status status, const td_error *error)
{
    result->status = TD_RUN_FAILED;
    result->error = status == TD_USAGE ? TD_FAILED : status;
    snprintf(result->reason, sizeof result->reason, "%.*s", TD_REASON_SIZE - 1, error->text);
}

bool td_session_is_open(const td_session *s, size_t run)
{
    return s->results[run].status == TD_RUN_OK;
}

/* Begin a profiler's ranges for the run and its phase. */
static void tell_profiler(const td_session *s, size_t run, const char *phase)
{
    if (s->engine->ops->range != NULL) {
        s->engine->ops->range(s->engine, 1, s->group->runs[run].key);
        s->engine->ops->range(s->engine, 2, phase);
    }
}

void td_session_tell(const td_session *s, size_t run, const char *phase)
{
    tell_profiler(s, run, phase);
    if (s->observer->phase != NULL) {
        s->observer->phase(s->observer->context, run, phase);
    }
}

static void beat(void *context)
{
    const td_session *s = context;
    td_session_tell(s, s->beating, s->beats);
}

td_pulse td_session_pulse(td_session *s, size_t run, const char *phase)
{
    const td_pulse pulse = {s, beat};
    s->beating = run;
    s->beats = phase;
    td_pulse_beat(&pulse);
    return pulse;
}

void td_session_failed(td_session *s, size_t run, td_status status, const td_error *error)
{
    td_fail_run(&s->results[run], status, error);
    const td_engine_ops *ops = s->engine->ops;
    if (s->observer->broken != NULL && ops->is_healthy != NULL && !ops->is_healthy(s->engine)) {
        s->observer->broken(s->observer->context, run, &s->results[run]);
    }
}

size_t td_session_open_runs(const td_session *s)
{
    size_t count = 0;
    for (size_t r = 0; r < s->group->count; r++) {
        count += td_session_is_open(s, r);
    }
    return count;
}

bool td_session_verifies(const td_session *s)
{
    return s->protocol->verify && s->engine->ops->check != NULL;
}
