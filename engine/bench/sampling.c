#include "sampling.h"

#include <math.h>

#include "engine/core/error.h"
#include "engine/core/stats.h"
#include "together.h"
#include "workloads/generate.h"

enum {
    LARGEST_BATCH = 20000,
    LARGEST_GRAPH = 16384 /* launches; a graph of a million takes the driver longer than the run */
};

/* A sample lasts at least this long, because events resolve half a microsecond. */
static const double sample_ms = 1.0;
/* A brief sample, or a batch of a warm-up without graphs, lasts this long. */
static const double brief_ms = 0.2;
/* The clocks of a GPU have risen after a batch of this length. */
static const double waking_ms = 50.0;
/* A run has settled when three rounds in a row differ by at most this fraction. */
static const double settled = 0.01;
/* The limit on a warm-up, which also takes at most twice as long as the run may: a short run has a short warm-up. */
static const double longest_ms = 2000.0;

/* One process's measurement, or its failure, as sent to all processes that share the domain. */
static td_status on_all(td_engine *engine, td_status status, double own_ms, double *batch_ms,
                        td_error *error)
{
    TRY(td_agree(engine, status, error));
    *batch_ms = td_largest(engine, own_ms);
    return TD_OK;
}

td_status td_sample(td_engine *engine, td_prepared *prepared, double *batch_ms, double *own_ms,
                    td_error *error)
{
    td_meet(engine);
    const td_status status = engine->ops->sample(engine, prepared, own_ms, error);
    return on_all(engine, status, *own_ms, batch_ms, error);
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

/* All processes, or none. */
static td_status prepare_on_all(const warming *w, uint32_t batch, bool graph,
                                td_prepared **prepared)
{
    const td_status status =
        w->engine->ops->prepare(w->engine, w->execution, batch, graph, prepared, w->error);
    return td_agree(w->engine, status, w->error);
}

/* The time of one launch from the host, without a graph. The first launch may load code, so a second one is timed
 * unless verification has loaded the code, or the first took so long that loading does not matter. */
static td_status time_plain(const warming *w, double *ms)
{
    const uint32_t launches = w->result->verified == TD_VERIFIED_NONE ? 2 : 1;
    const double enough_ms = w->protocol->brief ? 100.0 * brief_ms : INFINITY;
    td_prepared *plain = NULL;
    td_status status = prepare_on_all(w, 1, false, &plain);
    *ms = 0.0;
    for (uint32_t i = 0; i < launches && *ms < enough_ms && status == TD_OK; i++) {
        double own_ms = 0.0;
        w->result->warmup++;
        status = w->engine->ops->sample(w->engine, plain, &own_ms, w->error);
        status = on_all(w->engine, status, own_ms, ms, w->error);
    }
    if (plain != NULL) {
        w->engine->ops->discard(w->engine, plain);
    }
    return status;
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
    td_result *result = w->result;
    result->batch = takes_one(protocol) ? 1 : batch_for(launch_ms, batch_ms);
    result->sampling = protocol->sampling;
    result->graph = protocol->sampling != TD_SAMPLING_HOST &&
                    protocol->sampling != TD_SAMPLING_ONCE &&
                    td_takes_graph(w->engine, w->execution, result->batch);
    if (*w->prepared != NULL) {
        w->engine->ops->discard(w->engine, *w->prepared);
        *w->prepared = NULL;
    }
    return prepare_on_all(w, result->batch, result->graph, w->prepared);
}

/* Launch times of the last three rounds, the oldest first, and the number of rounds before them. */
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

static bool is_trend(const trend *t)
{
    return t->rounds >= 3;
}

static double least_of(const trend *t)
{
    return fmin(fmin(t->ms[0], t->ms[1]), t->ms[2]);
}

/* Takes a copy, because td_median sorts. */
static double median_of(trend t)
{
    return td_median(t.ms, sizeof t.ms / sizeof t.ms[0]);
}

static bool agree(const trend *t)
{
    const double most = fmax(fmax(t->ms[0], t->ms[1]), t->ms[2]);
    return most - least_of(t) <= settled * least_of(t);
}

/* A machine that warms up goes one way. One that turns back by more than what counts as agreement is a noisy one, which
 * no waiting makes quiet: the samples will have to bear it. */
static bool turns_back(const trend *t)
{
    const double before = t->ms[1] - t->ms[0], last = t->ms[2] - t->ms[1];
    return before * last < 0.0 && fabs(last) > settled * least_of(t);
}

static bool has_settled(const trend *t)
{
    return is_trend(t) && (agree(t) || turns_back(t));
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
        double batch_ms = 0.0, own_ms = 0.0;
        TRY(td_sample(w->engine, *w->prepared, &batch_ms, &own_ms, w->error));
        ms[count++] = batch_ms / w->result->batch;
        *spent_ms += batch_ms;
        w->result->warmup += w->result->batch;
    } while (count < batches_of_round(w, ms[0] * w->result->batch));
    *launch_ms = td_median(ms, (size_t)count);
    return TD_OK;
}

/* Launch batches until three rounds agree or turn back; a launch's time, warm, in *launch_ms. */
static td_status settle(const warming *w, trend t, double *launch_ms)
{
    double spent_ms = 0.0;
    const double limit_ms = fmin(longest_ms, 2e3 * w->protocol->max_time_s);
    do {
        double round_ms = 0.0;
        TRY(take_round(w, &round_ms, &spent_ms));
        follow(&t, round_ms);
        *launch_ms = is_trend(&t) ? median_of(t) : round_ms;
    } while (spent_ms < limit_ms && !(has_settled(&t) && w->result->warmup >= w->protocol->warmup));
    return TD_OK;
}

/* Whether one launch of the warm-up lasts as long as a brief sample, so that it can serve as one. */
static bool is_sample(const warming *w, double launch_ms)
{
    const td_protocol *protocol = w->protocol;
    return protocol->brief && protocol->sampling != TD_SAMPLING_HOST && !takes_one(protocol) &&
           td_is_alone(w->engine) && launch_ms >= brief_ms;
}

/* Warm up with the batches that will be sampled: making another graph takes longer than launching a few batches. */
static td_status warm_up_as_sampled(const warming *w)
{
    const trend unknown = {.rounds = 0};
    double launch_ms = 0.0;
    TRY(time_plain(w, &launch_ms));
    if (is_sample(w, launch_ms)) {
        w->result->batch = 1;
        w->result->only_ms = launch_ms;
        return TD_OK;
    }
    TRY(prepare(w, launch_ms, w->protocol->brief ? brief_ms : sample_ms));
    if (w->protocol->warmup == 0) {
        return TD_OK;
    }
    TRY(settle(w, unknown, &launch_ms));
    /* A cold first launch, or its latency, makes the first guess at the batch too small. */
    if (!takes_one(w->protocol) && launch_ms * w->result->batch < 0.95 * sample_ms) {
        TRY(prepare(w, launch_ms, sample_ms));
        TRY(settle(w, unknown, &launch_ms));
    }
    return TD_OK;
}

/* Find a batch that takes brief_ms, starting with one launch. It takes several attempts, because on a busy machine the
 * time of one launch says little about a hundred of them. */
static td_status prepare_brief(const warming *w, double *launch_ms)
{
    enum { ATTEMPTS = 4 };
    td_result *result = w->result;
    TRY(prepare(w, brief_ms, brief_ms));
    for (int i = 0; i < ATTEMPTS; i++) {
        double batch_ms = 0.0, own_ms = 0.0;
        TRY(td_sample(w->engine, *w->prepared, &batch_ms, &own_ms, w->error));
        result->warmup += result->batch;
        *launch_ms = batch_ms / result->batch;
        const uint32_t fitting = batch_for(*launch_ms, brief_ms);
        if (fitting <= 2 * result->batch && result->batch <= 2 * fitting) {
            break;
        }
        TRY(prepare(w, *launch_ms, brief_ms));
    }
    return TD_OK;
}

/* For engines without graphs: preparing a batch costs nothing, so the warm-up can use shorter batches than sampling. */
static td_status warm_up_briefly(const warming *w)
{
    double launch_ms = 0.0;
    trend t = {.rounds = 0};
    TRY(prepare_brief(w, &launch_ms));
    follow(&t, launch_ms);
    TRY(settle(w, t, &launch_ms));
    return prepare(w, launch_ms, sample_ms);
}

static td_status warm_up(const warming *w)
{
    if (w->protocol->sampling == TD_SAMPLING_ONCE) {
        return prepare(w, 0.0, 0.0);
    }
    return !w->engine->ops->can.graphs && !takes_one(w->protocol) && w->protocol->warmup > 0
               ? warm_up_briefly(w)
               : warm_up_as_sampled(w);
}

td_status td_warm_up(td_engine *engine, const td_execution *execution, const td_protocol *protocol,
                     bool awake, td_result *result, td_prepared **prepared, td_error *error)
{
    const warming w = {engine, execution, protocol, awake, result, prepared, error};
    return warm_up(&w);
}

/* A new order each round, from the seed (Fisher and Yates): drift must not fall on the same run every time. */
void td_shuffle(size_t *order, size_t count, uint64_t seed, uint32_t round)
{
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)(td_random_bits(seed, round, i) % i);
        const size_t other = order[i - 1];
        order[i - 1] = order[j];
        order[j] = other;
    }
}
