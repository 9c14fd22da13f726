#include "sampling.h"

#include <math.h>

#include "engine/core/error.h"
#include "engine/core/stats.h"

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

td_status td_sample(td_engine *engine, td_prepared *prepared, double *batch_ms, double *own_ms,
                    td_error *error)
{
    td_ranks_barrier(engine->ranks);
    const td_status status = engine->ops->sample(engine, prepared, own_ms, error);
    TRY(td_engine_agree(engine, status, error));
    *batch_ms = td_engine_largest(engine, *own_ms);
    return TD_OK;
}

/* A run that is warmed up. */
typedef struct warming {
    td_engine *engine;
    const td_execution *execution;
    const td_protocol *protocol;
    bool awake; /* the device worked just before */
    td_result *result;
    td_prepared **prepared;
    td_error *error;
} warming;

/* Replace what is prepared by a batch of result->batch launches. */
static td_status prepare_batch(const warming *w, bool graph)
{
    if (*w->prepared != NULL) {
        w->engine->ops->discard(w->engine, *w->prepared);
        *w->prepared = NULL;
    }
    w->result->graph = graph;
    const td_status status = w->engine->ops->prepare(w->engine, w->execution, w->result->batch,
                                                     graph, w->prepared, w->error);
    return td_engine_agree(w->engine, status, w->error);
}

/* Launch a batch of the warm-up. */
static td_status time_batch(const warming *w, double *batch_ms)
{
    double own_ms = 0.0;
    w->result->warmup += w->result->batch;
    return td_sample(w->engine, *w->prepared, batch_ms, &own_ms, w->error);
}

/* The time of one launch from the host, without a graph. The first launch may load code, so a second one is timed
 * unless verification has loaded the code, or the first took so long that loading does not matter. */
static td_status time_plain(const warming *w, double *ms)
{
    const double enough_ms = w->protocol->brief ? 100.0 * brief_ms : INFINITY;
    w->result->batch = 1;
    TRY(prepare_batch(w, false));
    TRY(time_batch(w, ms));
    return w->result->verified == TD_VERIFIED_NONE && *ms < enough_ms ? time_batch(w, ms) : TD_OK;
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
static td_status prepare(const warming *w, double launch_ms, double batch_ms)
{
    const td_protocol *protocol = w->protocol;
    w->result->batch = takes_one(protocol) ? 1 : batch_for(launch_ms, batch_ms);
    return prepare_batch(w, protocol->sampling == TD_SAMPLING_BATCHED &&
                                td_takes_graph(w->engine, w->execution, w->result->batch));
}

/* Launch times of the last three rounds, the oldest first, and the number of rounds. */
typedef struct trend {
    double ms[3];
    uint32_t rounds;
} trend;

static void follow(trend *t, double ms)
{
    t->ms[0] = t->ms[1];
    t->ms[1] = t->ms[2];
    t->ms[2] = ms;
    t->rounds++;
}

/* Whether three rounds agree, or turn back. A machine that warms up goes one way. One that turns back by more than what
 * counts as agreement is a noisy one, which no waiting makes quiet: the samples will have to bear it. */
static bool has_settled(const trend *t)
{
    const double least = fmin(fmin(t->ms[0], t->ms[1]), t->ms[2]);
    const double most = fmax(fmax(t->ms[0], t->ms[1]), t->ms[2]);
    const double before = t->ms[1] - t->ms[0], last = t->ms[2] - t->ms[1];
    const bool turns_back = before * last < 0.0 && fabs(last) > settled * least;
    return t->rounds >= 3 && (most - least <= settled * least || turns_back);
}

/*
 * The number of batches whose median is a round. One is enough if it lasts half as long as a sample: three rounds of
 * three would take a fifth of the time of sampling. On a GPU at rest one is enough only if the clocks rise during it.
 */
static int batches_of_round(const warming *w, double batch_ms)
{
    const double enough_ms = w->awake || !w->engine->ops->can.graphs ? 0.5 * sample_ms : waking_ms;
    return batch_ms >= enough_ms ? 1 : 3;
}

/* Take the next round: the time of one launch, and the time spent. */
static td_status take_round(const warming *w, double *launch_ms, double *spent_ms)
{
    double ms[3];
    int count = 0;
    do {
        double batch_ms = 0.0;
        TRY(time_batch(w, &batch_ms));
        ms[count++] = batch_ms / w->result->batch;
        *spent_ms += batch_ms;
    } while (count < batches_of_round(w, ms[0] * w->result->batch));
    *launch_ms = td_median(ms, (size_t)count);
    return TD_OK;
}

/* Launch batches until a run has settled; a launch's time, warm, in *launch_ms. */
static td_status settle(const warming *w, double *launch_ms)
{
    trend t = {.rounds = 0};
    double spent_ms = 0.0;
    const double limit_ms = fmin(longest_ms, 2e3 * w->protocol->max_time_s);
    do {
        TRY(take_round(w, launch_ms, &spent_ms));
        follow(&t, *launch_ms);
    } while (spent_ms < limit_ms && !(has_settled(&t) && w->result->warmup >= w->protocol->warmup));
    if (t.rounds >= 3) {
        *launch_ms = td_median(t.ms, 3);
    }
    return TD_OK;
}

/* Whether one launch of the warm-up lasts as long as a brief sample, so that it can serve as one. */
static bool is_sample(const warming *w, double launch_ms)
{
    const td_protocol *protocol = w->protocol;
    return protocol->brief && protocol->sampling != TD_SAMPLING_HOST && !takes_one(protocol) &&
           w->engine->ranks == NULL && launch_ms >= brief_ms;
}

/* Warm up with the batches that will be sampled: making another graph takes longer than launching a few batches. */
static td_status warm_up(const warming *w)
{
    double launch_ms = 0.0;
    TRY(time_plain(w, &launch_ms));
    if (is_sample(w, launch_ms)) {
        w->result->only_ms = launch_ms;
        return TD_OK;
    }
    TRY(prepare(w, launch_ms, w->protocol->brief ? brief_ms : sample_ms));
    if (w->protocol->warmup == 0) {
        return TD_OK;
    }
    TRY(settle(w, &launch_ms));
    /* A cold first launch, or its latency, makes the first guess at the batch too small. */
    if (!takes_one(w->protocol) && launch_ms * w->result->batch < 0.95 * sample_ms) {
        TRY(prepare(w, launch_ms, sample_ms));
        TRY(settle(w, &launch_ms));
    }
    return TD_OK;
}

td_status td_warm_up(td_engine *engine, const td_execution *execution, const td_protocol *protocol,
                     bool awake, td_result *result, td_prepared **prepared, td_error *error)
{
    const warming w = {engine, execution, protocol, awake, result, prepared, error};
    result->sampling = protocol->sampling;
    return protocol->sampling == TD_SAMPLING_ONCE ? prepare(&w, 0.0, 0.0) : warm_up(&w);
}
