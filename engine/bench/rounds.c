/* rounds.c - the samples of a group, round by round, and their summary. */
#include <math.h>
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/core/stats.h"
#include "engine/host.h"
#include "session.h"
#include "together.h"
#include "workloads/generate.h"

/* ---- samples ---- */

static td_telemetry read_telemetry(td_engine *engine)
{
    td_telemetry telemetry = {-1, -1, -1, -1, -1, -1};
    if (engine->ops->telemetry != NULL) {
        engine->ops->telemetry(engine, &telemetry);
    }
    return telemetry;
}

/* The samples of this process follow those of the whole domain. */
static double *own_samples(const td_session *s, const td_member *m)
{
    return m->result->sample_ms + s->protocol->samples;
}

/* Time one batch, unless the warm-up has; with --timing once the profiler records only this launch. */
static td_status time_one(td_session *s, td_member *m, td_error *error)
{
    const td_engine_ops *ops = s->engine->ops;
    const bool profile = s->protocol->sampling == TD_SAMPLING_ONCE && ops->profile != NULL;
    if (m->only_ms > 0.0) {
        s->batch_ms = s->own_ms = m->only_ms;
        return TD_OK;
    }
    if (s->protocol->cache == TD_CACHE_COLD && ops->flush != NULL) {
        TRY(td_engine_agree(s->engine, ops->flush(s->engine, error), error));
    }
    TRY(profile ? ops->profile(s->engine, true, error) : TD_OK);
    TRY(td_time_batch(s, m, error));
    return profile ? ops->profile(s->engine, false, error) : TD_OK;
}

static td_status sample_run(td_session *s, td_member *m, td_error *error)
{
    td_result *result = m->result;
    TRY(time_one(s, m, error));
    const double scale = m->whole / result->batch;
    own_samples(s, m)[result->sample_count] = s->own_ms * scale;
    result->sample_ms[result->sample_count++] = s->batch_ms * scale;
    if (s->engine->ops->exchange_ms != NULL) {
        result->exchange_ms = td_engine_largest(s->engine, s->engine->ops->exchange_ms(s->engine));
    }
    return TD_OK;
}

/* Whether the interval of a run lies above that of another one, as of their last checkpoints. */
static bool is_beaten(const td_session *s, const td_interval *own)
{
    for (size_t i = 0; own->known && i < s->count; i++) {
        const td_result *result = s->members[i].result;
        const td_interval *other = &result->time_ms.ci95;
        if (result->status == TD_RUN_OK && other->known && other->high < own->low) {
            return true;
        }
    }
    return false;
}

/* Whether a run has reached --precision or lost a race, now or in an earlier round, after which it was no longer
 * sampled. */
static bool has_enough(const td_session *s, td_result *result, uint32_t rounds)
{
    const double wanted = s->protocol->precision;
    if (wanted == 0.0) {
        return false;
    }
    if (result->sample_count < rounds) {
        return true;
    }
    return td_is_checkpoint(rounds) && td_summarise(result->sample_ms, rounds, &result->time_ms) &&
           (td_half_width(&result->time_ms) <= wanted ||
            (s->protocol->is_race && is_beaten(s, &result->time_ms.ci95)));
}

/* A new order each round, from the seed (Fisher and Yates): drift must not fall on the same run every time. */
static void shuffle(size_t *order, size_t count, uint64_t seed, uint32_t round)
{
    for (size_t i = 0; i < count; i++) {
        const size_t j = (size_t)(td_random_bits(seed, round, i) % (i + 1));
        order[i] = order[j];
        order[j] = i;
    }
}

/* Take one sample of every open run that needs more after `rounds` rounds. Returns the number of samples, and adds the
 * mean of their times to *elapsed_ms. */
static size_t sample_round(td_session *s, size_t *order, uint32_t rounds, double *elapsed_ms)
{
    double round_ms = 0.0;
    size_t count = 0;
    shuffle(order, s->count, s->protocol->seed, rounds);
    for (size_t i = 0; i < s->count; i++) {
        td_member *m = &s->members[order[i]];
        if (!has_enough(s, m->result, rounds) && td_session_take(s, m, "sample", sample_run)) {
            round_ms += s->batch_ms;
            count++;
        }
    }
    *elapsed_ms += count > 0 ? round_ms / (double)count : 0.0;
    return count;
}

static td_status note(td_session *s, td_member *m, td_error *error)
{
    td_result *result = m->result;
    result->precision = s->protocol->precision;
    result->crowded = s->crowded;
    result->before = s->before;
    result->after = s->after;
    result->before.throttled = s->after.throttled == 1 ? 1 : s->before.throttled;
    return td_gather_parts(s->engine, &m->execution, own_samples(s, m), result, error);
}

/* The time budget is per run, on average over the runs that are still sampled: these all end with the same round. */
static void sample_rounds(td_session *s, size_t *order)
{
    const double budget_ms = s->protocol->max_time_s * 1e3;
    double elapsed_ms = 0.0;
    size_t sampled = 1;
    s->before = read_telemetry(s->engine);
    td_core_use use = {0};
    s->crowded = td_host_is_crowded("/proc", &use);
    for (uint32_t round = 0; round < s->protocol->samples && elapsed_ms < budget_ms && sampled > 0;
         round++) {
        sampled = sample_round(s, order, round, &elapsed_ms);
    }
    s->after = read_telemetry(s->engine);
    s->crowded = td_host_is_crowded("/proc", &use) || s->crowded;
    td_session_each(s, NULL, note);
}

void td_session_sample(td_session *s)
{
    size_t *order = calloc(s->count, sizeof *order);
    if (order != NULL) {
        sample_rounds(s, order);
    }
    free(order);
}

/* ---- their summary ---- */

static bool has_time(const td_result *result)
{
    return result->status == TD_RUN_OK && result->sample_count > 0;
}

/* The ratios of the baseline's samples to a run's own, if both have any. A ratio to no time is undefined. */
static bool compare(const td_group *group, td_result *results, size_t index)
{
    td_result *own = &results[index];
    own->baseline = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const td_result *base = &results[i];
        if (group->runs[i].is_baseline && has_time(base) && has_time(own) &&
            own->time_ms.median > 0) {
            /* Rounds are common to the group, but with --precision a run may need fewer. */
            const uint32_t rounds =
                base->sample_count < own->sample_count ? base->sample_count : own->sample_count;
            own->baseline = group->runs[i].strategy->name;
            return td_improvement(base->sample_ms, own->sample_ms, rounds, &own->improvement);
        }
    }
    return true;
}

void td_group_summarise(const td_group *group, td_result *results)
{
    const td_error error = {"not enough memory for the statistics of the samples"};
    for (size_t r = 0; r < group->count; r++) {
        td_result *result = &results[r];
        if (!td_summarise(result->sample_ms, result->sample_count, &result->time_ms)) {
            td_fail_run(result, TD_NO_MEMORY, &error);
        }
    }
    for (size_t r = 0; r < group->count; r++) {
        if (!group->runs[r].is_baseline && !compare(group, results, r)) {
            td_fail_run(&results[r], TD_NO_MEMORY, &error);
        }
    }
}
