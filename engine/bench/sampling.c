/* sampling.c - how many launches make a sample, and when a run is warm. */
#include <math.h>

#include "engine/core/error.h"
#include "engine/core/stats.h"
#include "session.h"

enum {
    LARGEST_BATCH = 20000,
    LARGEST_GRAPH = 16384 /* launches; a graph of a million takes the driver longer than the run */
};

/* A sample lasts at least this long, because events resolve half a microsecond. */
static const double sample_ms = 1.0;
/* A brief sample lasts this long. */
static const double brief_ms = 0.2;
/* The clocks of a GPU have risen after a batch of this length. */
static const double waking_ms = 50.0;
/* A run has settled when three rounds in a row differ by at most this fraction. */
static const double settled = 0.01;
/* The limit on a warm-up, which also takes at most twice as long as the run may: a short run has a short warm-up. */
static const double longest_ms = 2000.0;

td_status td_time_batch(td_session *s, td_member *m, td_error *error)
{
    td_ranks_barrier(s->engine->ranks);
    const td_status status = s->engine->ops->sample(s->engine, m->prepared, &s->own_ms, error);
    TRY(td_engine_agree(s->engine, status, error));
    s->batch_ms = td_engine_largest(s->engine, s->own_ms);
    return TD_OK;
}

/* Replace what is prepared by a batch of result->batch launches. */
static td_status prepare_batch(td_session *s, td_member *m, bool graph, td_error *error)
{
    const td_engine_ops *ops = s->engine->ops;
    if (m->prepared != NULL) {
        ops->discard(s->engine, m->prepared);
        m->prepared = NULL;
    }
    m->result->graph = graph;
    if (ops->blocks_at_once != NULL && m->result->at_once == 0) {
        m->result->at_once = ops->blocks_at_once(s->engine, &m->execution);
    }
    const td_status status =
        ops->prepare(s->engine, &m->execution, m->result->batch, graph, &m->prepared, error);
    return td_engine_agree(s->engine, status, error);
}

/* Launch a batch of the warm-up. */
static td_status launch_batch(td_session *s, td_member *m, td_error *error)
{
    m->result->warmup += m->result->batch;
    return td_time_batch(s, m, error);
}

/* Time one launch from the host, without a graph. The first launch may load code, so a second one is timed unless
 * verification has loaded the code, or the first took so long that loading does not matter. */
static td_status time_plain(td_session *s, td_member *m, td_error *error)
{
    const double enough_ms = s->protocol->brief ? 100.0 * brief_ms : INFINITY;
    m->result->batch = 1;
    TRY(prepare_batch(s, m, false, error));
    TRY(launch_batch(s, m, error));
    return m->result->verified == TD_VERIFIED_NONE && s->batch_ms < enough_ms
               ? launch_batch(s, m, error)
               : TD_OK;
}

/* The number of launches that last at least batch_ms. */
static uint32_t batch_for(double launch_ms, double batch_ms)
{
    return launch_ms > 0.0 ? (uint32_t)fmax(fmin(ceil(batch_ms / launch_ms), LARGEST_BATCH), 1.0)
                           : LARGEST_BATCH;
}

static bool takes_one(const td_protocol *protocol)
{
    return protocol->cache == TD_CACHE_COLD || protocol->sampling == TD_SAMPLING_ONCE;
}

bool td_takes_graph(const td_engine *engine, const td_execution *execution, uint32_t batch)
{
    const uint64_t launches = (uint64_t)execution->plan->count * execution->steps;
    /* Neither a tree of kernels nor the exchange with neighbours between two steps can be captured. */
    return !execution->strategy->tree && !execution->halo.exists && engine->ops->can.graphs &&
           launches > 0 && launches <= LARGEST_GRAPH && (launches > 1 || batch > 1);
}

/*
 * Prepare the batches in which a run is sampled, from the time of a launch and the time that a batch should take.
 *
 * The launches of a batch follow each other about a microsecond sooner in a graph than one by one. Whether a graph is
 * used must not depend on a first guess at the time: a run near such a bound would have two times, and each invocation
 * would see one of them. At the bound between one launch and two the microsecond is a thousandth.
 */
static td_status prepare(td_session *s, td_member *m, double launch_ms, double batch_ms,
                         td_error *error)
{
    m->result->batch = takes_one(s->protocol) ? 1 : batch_for(launch_ms, batch_ms);
    const bool graph = s->protocol->sampling == TD_SAMPLING_BATCHED &&
                       td_takes_graph(s->engine, &m->execution, m->result->batch);
    return prepare_batch(s, m, graph, error);
}

/* Whether the last three rounds agree, or turn back. A machine that warms up goes one way. One that turns back by more
 * than what counts as agreement is a noisy one, which no waiting makes quiet: the samples will have to bear it. */
static bool has_settled(const double ms[3])
{
    const double least = fmin(fmin(ms[0], ms[1]), ms[2]);
    const double most = fmax(fmax(ms[0], ms[1]), ms[2]);
    const double before = ms[1] - ms[0], last = ms[2] - ms[1];
    const bool turns_back = before * last < 0.0 && fabs(last) > settled * least;
    return most - least <= settled * least || turns_back;
}

/*
 * The number of batches whose median is a round. One is enough if it lasts half as long as a sample: three rounds of
 * three would take a fifth of the time of sampling. On a GPU at rest one is enough only if the clocks rise during it.
 */
static int batches_of_round(const td_session *s, double batch_ms)
{
    const double enough_ms = s->awake || !s->engine->ops->can.graphs ? 0.5 * sample_ms : waking_ms;
    return batch_ms >= enough_ms ? 1 : 3;
}

/* Take the next round: the time of one launch, and the time spent. */
static td_status take_round(td_session *s, td_member *m, double *launch_ms, double *spent_ms,
                            td_error *error)
{
    double ms[3];
    int count = 0;
    do {
        TRY(launch_batch(s, m, error));
        ms[count++] = s->batch_ms / m->result->batch;
        *spent_ms += s->batch_ms;
    } while (count < batches_of_round(s, ms[0] * m->result->batch));
    *launch_ms = td_median(ms, (size_t)count);
    return TD_OK;
}

/* Launch batches until a run has settled; a launch's time, warm, in *launch_ms. */
static td_status settle(td_session *s, td_member *m, double *launch_ms, td_error *error)
{
    const double limit_ms = fmin(longest_ms, 2e3 * s->protocol->max_time_s);
    double last[3] = {0.0}, spent_ms = 0.0;
    int rounds = 0;
    do {
        TRY(take_round(s, m, launch_ms, &spent_ms, error));
        last[0] = last[1];
        last[1] = last[2];
        last[2] = *launch_ms;
        rounds++;
    } while (spent_ms < limit_ms &&
             (rounds < 3 || !has_settled(last) || m->result->warmup < s->protocol->warmup));
    if (rounds >= 3) {
        *launch_ms = td_median(last, 3);
    }
    return TD_OK;
}

/* Whether one launch of the warm-up lasts as long as a brief sample, so that it can serve as one. */
static bool is_sample(const td_session *s, double launch_ms)
{
    const td_protocol *protocol = s->protocol;
    return protocol->brief && protocol->sampling != TD_SAMPLING_HOST && !takes_one(protocol) &&
           launch_ms >= brief_ms;
}

/* Warm up with the batches that will be sampled: making another graph takes longer than launching a few batches. */
static td_status warm_up(td_session *s, td_member *m, td_error *error)
{
    TRY(time_plain(s, m, error));
    double launch_ms = s->batch_ms;
    if (is_sample(s, launch_ms)) {
        m->only_ms = launch_ms;
        return TD_OK;
    }
    TRY(prepare(s, m, launch_ms, s->protocol->brief ? brief_ms : sample_ms, error));
    if (s->protocol->warmup == 0) {
        return TD_OK;
    }
    TRY(settle(s, m, &launch_ms, error));
    /* A cold first launch, or its latency, makes the first guess at the batch too small. */
    if (!takes_one(s->protocol) && launch_ms * m->result->batch < 0.95 * sample_ms) {
        TRY(prepare(s, m, launch_ms, sample_ms, error));
        TRY(settle(s, m, &launch_ms, error));
    }
    return TD_OK;
}

td_status td_warm_up(td_session *s, td_member *m, td_error *error)
{
    m->result->sampling = s->protocol->sampling;
    TRY(s->protocol->sampling == TD_SAMPLING_ONCE ? prepare(s, m, 0.0, 0.0, error)
                                                  : warm_up(s, m, error));
    s->awake = true;
    /* those of the domain, and those of this process */
    const td_status status = td_allocate(&m->result->sample_ms, 2 * (uint64_t)s->protocol->samples,
                                         sizeof(double), error, "the samples");
    return td_engine_agree(s->engine, status, error);
}
