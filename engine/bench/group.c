#include "group.h"

#include <stdio.h>
#include <stdlib.h>

#include "energy.h"
#include "map_check.h"
#include "engine/core/error.h"
#include "engine/io/dump.h"
#include "engine/prepare/planning.h"
#include "plain.h"
#include "session.h"
#include "together.h"
#include "verify.h"

void td_result_free(td_result *result)
{
    free(result->sample_ms);
    free(result->part_results);
    result->sample_ms = NULL;
    result->sample_count = 0;
    result->part_results = NULL;
    result->part_count = 0;
}

/* TD_USAGE becomes TD_FAILED: it is too late to reject the command line, as other runs may have been measured. */
void td_fail_run(td_result *result, td_status status, const td_error *error)
{
    result->status = TD_RUN_FAILED;
    result->error = status == TD_USAGE ? TD_FAILED : status;
    snprintf(result->reason, sizeof result->reason, "%.*s", TD_REASON_SIZE - 1, error->text);
}

void td_tell_bounds(const td_run *run, td_result *result)
{
    const td_workload *w = run->workload;
    const td_problem problem = td_run_problem(run);
    const size_t used = strlen(result->reason);
    if (w->own != NULL) {
        snprintf(result->reason + used, sizeof result->reason - used,
                 ": a cell may read the %llu bytes of .input, and write the %llu elements of %zu "
                 "bytes of .output_elements",
                 (unsigned long long)td_workload_input_bytes(w, &problem),
                 (unsigned long long)td_workload_output_elements(w, &problem),
                 td_element_bytes(w->element));
    }
}

/* ---- telling ---- */

static void tell(td_session *s, const td_member *m, const char *phase)
{
    if (s->observer->phase != NULL) {
        s->observer->phase(s->observer->context, (size_t)(m - s->members), phase);
    }
    s->told = m;
    s->told_phase = phase;
}

/* Start the phase anew. */
static void beat(void *context)
{
    td_session *s = context;
    tell(s, s->told, s->told_phase);
}

static void fail(const td_session *s, const td_member *m, td_status status, const td_error *error)
{
    td_fail_run(m->result, status, error);
    const td_engine_ops *ops = s->engine->ops;
    if (s->observer->broken != NULL && ops->is_healthy != NULL && !ops->is_healthy(s->engine)) {
        td_tell_bounds(m->run, m->result);
        s->observer->broken(s->observer->context, (size_t)(m - s->members), m->result);
    }
}

/* ---- the phases ---- */

bool td_session_take(td_session *s, td_member *m, const char *phase, td_step *step)
{
    td_error error;
    if (m->result->status != TD_RUN_OK) {
        return false;
    }
    if (phase != NULL) {
        tell(s, m, phase);
    }
    const td_status status = step(s, m, &error);
    if (status != TD_OK) {
        fail(s, m, status, &error);
    }
    return status == TD_OK;
}

void td_session_each(td_session *s, const char *phase, td_step *step)
{
    for (size_t r = 0; r < s->count; r++) {
        (void)td_session_take(s, &s->members[r], phase, step);
    }
}

static td_status plan(td_session *s, td_member *m, td_error *error)
{
    const td_status status = td_plan_for(s->engine, m->run, s->protocol->inexact, &m->plan, error);
    TRY(td_engine_agree(s->engine, status, error));
    td_run_counts(m->run, &m->plan, m->result);
    td_add_up_counts(s->engine, m->result);
    return TD_OK;
}

/* Whether outputs are verified. */
static bool verifies(const td_session *s)
{
    return s->protocol->verify && s->engine->ops->check != NULL;
}

/* The run with the smallest tile: an output with one element per tile must be large enough for it. NULL: none is
 * open. */
static const td_member *largest_run(const td_session *s)
{
    const td_member *largest = NULL;
    for (const td_member *m = s->members; m < s->members + s->count; m++) {
        const bool is_larger = largest == NULL || m->run->tile < largest->run->tile;
        largest = m->result->status == TD_RUN_OK && is_larger ? m : largest;
    }
    return largest;
}

static td_status open_buffers(td_session *s, const td_run *run, td_error *error)
{
    const td_problem problem = td_run_problem(run);
    const bool counts_visits =
        run->workload->traits.proven_by_count || td_is_proven_by_output(run->workload, &problem);
    /* The same share for all runs: their maps are of blocks, with tiles of one size. */
    if (run->parts > 0) {
        s->share = td_run_share(run);
        s->engine->share = &s->share;
    }
    TRY(td_buffers_open(s->engine, run->workload, &problem, &s->buffers, error));
    return counts_visits && verifies(s)
               ? td_buffers_open(s->engine, td_workload_that_counts(run->workload->dimension),
                                 &problem, &s->visits, error)
               : TD_OK;
}

static void make_execution(const td_session *s, td_member *m)
{
    const uint32_t most = s->protocol->launches;
    m->execution = td_execution_of(&s->buffers, m->run, &m->plan);
    m->whole = 1.0;
    if (most > 0 && m->execution.steps > most) {
        m->whole = (double)m->execution.steps / most;
        m->execution.steps = most;
    }
}

/* Writing files may take longer than verification. */
static td_status write_output(td_session *s, const td_member *m, td_error *error)
{
    const td_observer *to = s->observer;
    tell(s, m, "output");
    const td_status status = to->every > 0
                                 ? td_dump_states(to->dump, to->every, m->run, &s->buffers, error)
                                 : td_dump_write(to->dump, m->run, &s->buffers, error);
    return td_engine_agree(s->engine, status, error);
}

/* A result is wrong: of a map from a file, say whether it is the map, and where. */
static void tell_map(td_session *s, const td_member *m)
{
    td_map_check check;
    td_error unused;
    const td_domain domain = td_run_domain(m->run);
    const size_t used = strlen(m->result->reason);
    if (m->run->strategy->own != NULL && m->result->verified == TD_VERIFIED_FAIL &&
        td_check_map_on(s->engine, m->run->strategy, &domain, &check, &unused) == TD_OK &&
        check.first_failing_n > 0) {
        snprintf(m->result->reason + used, sizeof m->result->reason - used,
                 "; the map is wrong: %s", td_map_fault_text(&check).text);
    }
}

static td_status verify_both(td_session *s, td_member *m, td_prepared *sampled, td_error *error)
{
    TRY(td_verify(&s->buffers, &m->execution, sampled, m->result, error));
    if (s->visits.engine != NULL && m->result->verified == TD_VERIFIED_PASS) {
        const td_execution visits = td_execution_of(&s->visits, m->run, &m->plan);
        TRY(td_verify(&s->visits, &visits, NULL, m->result, error));
    }
    return TD_OK;
}

static td_status verify(td_session *s, td_member *m, td_prepared *sampled, td_error *error)
{
    const td_status status = verify_both(s, m, sampled, error);
    tell_map(s, m);
    return status;
}

static td_status verify_first(td_session *s, td_member *m, td_error *error)
{
    const bool has_output = s->observer->dump != NULL;
    make_execution(s, m);
    if (verifies(s)) {
        TRY(verify(s, m, NULL, error));
    } else if (has_output) {
        const td_status status = s->engine->ops->launch(s->engine, &m->execution, error);
        TRY(td_engine_agree(s->engine, status, error));
    }
    return has_output && m->result->status == TD_RUN_OK ? write_output(s, m, error) : TD_OK;
}

/* Launches that do nothing once they have been verified would be fast. */
static td_status verify_again(td_session *s, td_member *m, td_error *error)
{
    TRY(verify(s, m, m->prepared, error));
    if (m->result->verified == TD_VERIFIED_PASS) {
        return TD_OK;
    }
    m->result->sample_count = 0; /* they mean nothing */
    return td_fail(error, TD_WRONG, "after its samples: %s", m->result->reason);
}

static td_status measure_energy(td_session *s, td_member *m, td_error *error)
{
    return m->result->sample_count > 0
               ? td_energy_measure(s->engine, &m->execution, m->result, error)
               : TD_OK;
}

static void measure(td_session *s, const td_run *largest)
{
    td_error error;
    const td_status status = td_engine_agree(s->engine, open_buffers(s, largest, &error), &error);
    /* All runs share the buffers. If the device broke, the first failure ends the worker, and the next worker gets the
     * other runs. */
    for (size_t r = 0; status != TD_OK && r < s->count; r++) {
        if (s->members[r].result->status == TD_RUN_OK) {
            fail(s, &s->members[r], status, &error);
        }
    }
    td_session_each(s, "verify", verify_first);
    td_session_each(s, "warm up", td_warm_up);
    td_session_sample(s);
    if (verifies(s)) {
        td_session_each(s, "verify", verify_again);
    }
    if (s->protocol->energy) {
        td_session_each(s, "energy", measure_energy);
    }
}

static void run_open(td_session *s)
{
    td_session_each(s, NULL, plan);
    const td_member *largest = largest_run(s);
    if (largest != NULL) {
        measure(s, largest->run);
    }
    tell(s, largest != NULL ? largest : s->members, "clean up");
}

static void clean_up(td_session *s)
{
    for (td_member *m = s->members; m < s->members + s->count; m++) {
        if (m->prepared != NULL) {
            s->engine->ops->discard(s->engine, m->prepared);
        }
        td_plan_release(s->engine, &m->plan);
    }
    td_buffers_close(&s->visits);
    td_buffers_close(&s->buffers);
    s->engine->share = NULL;
    s->engine->beat = NULL;
    free(s->members);
}

void td_group_run(td_engine *engine, const td_protocol *protocol, const td_group *group,
                  const td_observer *observer, td_result *results)
{
    td_error error;
    td_session s = {
        .engine = engine, .protocol = protocol, .observer = observer, .count = group->count};
    const td_status status =
        td_allocate(&s.members, group->count, sizeof *s.members, &error, "a group of runs");
    for (size_t r = 0; r < group->count; r++) {
        if (status == TD_OK) {
            s.members[r].run = &group->runs[r];
            s.members[r].result = &results[r];
        } else {
            td_fail_run(&results[r], status, &error);
        }
    }
    if (status == TD_OK) {
        engine->beat = beat;
        engine->context = &s;
        run_open(&s);
        clean_up(&s);
    }
    td_group_summarise(group, results);
}
