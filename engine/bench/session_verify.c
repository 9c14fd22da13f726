/* session_verify.c - verify the runs of a group one after the other, and write their outputs to files. */
#include "engine/core/error.h"
#include "engine/io/dump.h"
#include "engine/prepare/execution.h"
#include "verify.h"
#include "session.h"
#include "together.h"

/* Uses a pulse, because writing files may take longer than verification. */
static td_status write_files(td_session *s, size_t r, td_error *error)
{
    const td_output_files *files = &s->observer->files;
    const td_run *run = &s->group->runs[r];
    const td_pulse pulse = td_session_pulse(s, r, "output");
    return files->every > 0
               ? td_dump_states(files->dump, files->every, run, &s->buffers, &pulse, error)
               : td_dump_write(files->dump, run, &s->buffers, error);
}

static td_status write_output(td_session *s, size_t r, td_error *error)
{
    return td_agree(s->engine, write_files(s, r, error), error);
}

static td_status verify_run(td_session *s, size_t r, td_error *error)
{
    const td_run *run = &s->group->runs[r];
    const td_execution execution = td_execution_of(&s->buffers, run, &s->plans[r]);
    td_result *result = &s->results[r];
    TRY(td_verify(&s->buffers, &execution, result, error));
    if (s->visits.engine != NULL && result->verified == TD_VERIFIED_PASS) {
        const td_execution visits = td_execution_of(&s->visits, run, &s->plans[r]);
        TRY(td_verify(&s->visits, &visits, result, error));
    }
    return s->observer->files.dump != NULL && result->verified == TD_VERIFIED_PASS
               ? write_output(s, r, error)
               : TD_OK;
}

static td_status dump_unverified(td_session *s, size_t r, td_error *error)
{
    const td_execution execution = td_execution_of(&s->buffers, &s->group->runs[r], &s->plans[r]);
    const td_status status = s->engine->ops->launch(s->engine, &execution, error);
    TRY(td_agree(s->engine, status, error));
    return write_output(s, r, error);
}

void td_session_verify(td_session *s)
{
    for (size_t r = 0; r < s->group->count; r++) {
        td_error error;
        td_status status = TD_OK;
        if (!td_session_is_open(s, r)) {
            continue;
        }
        td_session_tell(s, r, "verify");
        if (td_session_verifies(s)) {
            status = verify_run(s, r, &error);
        } else if (s->observer->files.dump != NULL) {
            status = dump_unverified(s, r, &error);
        }
        if (status != TD_OK) {
            td_session_failed(s, r, status, &error);
        }
    }
}
