/* session_sample.c - the runs of a group in turn: warm-up, samples in rounds, energy. */
#include <math.h>
#include <stdlib.h>

#include "energy.h"
#include "engine/core/error.h"
#include "engine/core/stats.h"
#include "engine/prepare/execution.h"
#include "sampling.h"
#include "session.h"
#include "together.h"

static void read_telemetry(td_engine *engine, td_telemetry *telemetry)
{
    *telemetry = (td_telemetry){-1, -1, -1, -1, -1, -1};
    if (engine->ops->telemetry != NULL) {
        engine->ops->telemetry(engine, telemetry);
    }
}

void td_session_warm_up(td_session *s)
{
    bool awake = false;
    for (size_t r = 0; r < s->group->count; r++) {
        td_error error;
        if (!td_session_is_open(s, r)) {
            continue;
        }
        td_session_tell(s, r, "warm up");
        const td_execution execution =
            td_execution_of(&s->buffers, &s->group->runs[r], &s->plans[r]);
        td_status status = td_warm_up(s->engine, &execution, s->protocol, awake, &s->results[r],
                                      &s->prepared[r], &error);
        awake = awake || status == TD_OK;
        if (status == TD_OK) {
            s->results[r].sample_ms = calloc(s->protocol->samples, sizeof(double));
            s->own_ms[r] = calloc(s->protocol->samples, sizeof(double));
            if (s->results[r].sample_ms == NULL || s->own_ms[r] == NULL) {
                status = td_fail(&error, TD_NO_MEMORY, "not enough memory for the samples");
            }
            status = td_agree(s->engine, status, &error);
        }
        if (status != TD_OK) {
            td_session_failed(s, r, status, &error);
        }
    }
}

/* Take one sample; with --timing once the profiler records only this launch. */
static td_status sample(td_session *s, size_t r, double *batch_ms, double *own_ms, td_error *error)
{
    const td_engine_ops *ops = s->engine->ops;
    const bool profile = s->protocol->sampling == TD_SAMPLING_ONCE && ops->profile != NULL;
    if (s->results[r].only_ms > 0.0) {
        *batch_ms = *own_ms = s->results[r].only_ms;
        return TD_OK;
    }
    TRY(profile ? ops->profile(s->engine, true, error) : TD_OK);
    TRY(td_sample(s->engine, s->prepared[r], batch_ms, own_ms, error));
    return profile ? ops->profile(s->engine, false, error) : TD_OK;
}

static td_status sample_run(td_session *s, size_t r, td_error *error)
{
    td_result *result = &s->results[r];
    double batch_ms = 0.0, own_ms = 0.0;
    if (s->protocol->cache == TD_CACHE_COLD && s->engine->ops->flush != NULL) {
        TRY(td_agree(s->engine, s->engine->ops->flush(s->engine, error), error));
    }
    TRY(sample(s, r, &batch_ms, &own_ms, error));
    s->own_ms[r][result->sample_count] = own_ms / result->batch;
    result->sample_ms[result->sample_count++] = batch_ms / result->batch;
    if (s->engine->ops->exchange_ms != NULL) {
        result->exchange_ms = td_largest(s->engine, s->engine->ops->exchange_ms(s->engine));
    }
    return TD_OK;
}

/* Whether a run has reached --precision, now or in an earlier round, after which it was no longer sampled. */
static bool has_enough(const td_session *s, size_t r, uint32_t rounds)
{
    td_result *result = &s->results[r];
    const double wanted = s->protocol->precision;
    return wanted > 0.0 && (result->sample_count < rounds ||
                            (td_is_checkpoint(rounds) &&
                             td_summarise(result->sample_ms, rounds, &result->time_ms) &&
                             td_half_width(&result->time_ms) <= wanted));
}

/* Take one sample of every open run that needs more after `rounds` rounds. Returns the number of samples, and adds the
 * mean of their times to *elapsed_ms. */
static size_t sample_round(td_session *s, size_t *order, uint32_t rounds, double *elapsed_ms)
{
    double round_ms = 0.0;
    size_t count = 0;
    td_shuffle(order, s->group->count, s->protocol->seed, rounds);
    for (size_t i = 0; i < s->group->count; i++) {
        const size_t r = order[i];
        td_error error;
        if (!td_session_is_open(s, r) || has_enough(s, r, rounds)) {
            continue;
        }
        td_session_tell(s, r, "sample");
        const td_status status = sample_run(s, r, &error);
        if (status != TD_OK) {
            td_session_failed(s, r, status, &error);
            continue;
        }
        round_ms += s->results[r].sample_ms[s->results[r].sample_count - 1] * s->results[r].batch;
        count++;
    }
    *elapsed_ms += count > 0 ? round_ms / (double)count : 0.0;
    return count;
}

/* The time budget is per run, on average over the runs that are still sampled: these all end with the same round. */
static void sample_rounds(td_session *s, size_t *order)
{
    const size_t count = td_session_open_runs(s);
    const uint32_t rounds = s->protocol->samples;
    const double budget_ms = s->protocol->max_time_s * 1e3;
    read_telemetry(s->engine, &s->before);
    const double energy_before = td_energy_now_j(s->engine);
    double elapsed_ms = 0.0;
    size_t sampled = count;
    for (uint32_t round = 0; round < rounds && elapsed_ms < budget_ms && sampled > 0; round++) {
        sampled = sample_round(s, order, round, &elapsed_ms);
    }
    const double energy_after = td_energy_now_j(s->engine);
    read_telemetry(s->engine, &s->after);
    for (size_t r = 0; r < s->group->count; r++) {
        td_result *result = &s->results[r];
        if (!td_session_is_open(s, r)) {
            continue;
        }
        result->precision = s->protocol->precision;
        /*
         * The counter ticks every few milliseconds and cannot tell the runs of a round apart. So only a run
         * that is sampled alone has an energy, and only in a process that has the whole domain.
         */
        if (td_is_alone(s->engine) && count == 1 && elapsed_ms > 200.0 && energy_before >= 0.0 &&
            energy_after >= 0.0 && result->sample_count > 0) {
            result->energy_j =
                (energy_after - energy_before) / ((double)result->sample_count * result->batch);
        }
    }
}

static bool is_throttled(const td_session *s)
{
    return s->before.throttled == 1 || s->after.throttled == 1;
}

void td_session_sample(td_session *s)
{
    size_t *order = calloc(s->group->count, sizeof *order);
    if (order == NULL) {
        return;
    }
    sample_rounds(s, order);
    for (size_t r = 0; r < s->group->count; r++) {
        td_result *result = &s->results[r];
        if (!td_session_is_open(s, r)) {
            continue;
        }
        result->before = s->before;
        result->before.throttled = is_throttled(s) ? 1 : result->before.throttled;
        result->after = s->after;
        td_gather_parts(s->engine, &s->group->runs[r], s->own_ms[r], result);
    }
    free(order);
}

void td_session_measure_energy(td_session *s)
{
    for (size_t r = 0; r < s->group->count; r++) {
        td_error error;
        if (!td_session_is_open(s, r) || s->results[r].sample_count == 0) {
            continue;
        }
        const td_pulse pulse = td_session_pulse(s, r, "energy");
        const td_execution execution =
            td_execution_of(&s->buffers, &s->group->runs[r], &s->plans[r]);
        const td_status status =
            td_energy_measure(s->engine, &execution, &pulse, &s->results[r], &error);
        if (status != TD_OK) {
            td_session_failed(s, r, status, &error);
        }
    }
}
