#include "energy.h"

#include <poll.h>
#include <stdio.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "session.h"

/*
 * The counter of an H200 is updated some ten times per second, and is read between batches. A window lasts several
 * updates, and a batch is short compared with a window: the position of an update within its batch changes a window's
 * energy by 1.5 % at most. A batch is long compared with the 15 us that the host needs between two batches.
 */
static const double window_ms = 350.0, batch_ms = 5.0;
static const double patience_ms = 3000.0; /* without an update: the counter does not work */

/* A run that is launched over and over, and the window of it that began with the counter's last change but one. */
typedef struct series {
    td_engine *engine;
    td_prepared *prepared;
    uint32_t batch;
    double joules;     /* when last read */
    double elapsed_ms; /* device time of the window */
    uint64_t launches; /* likewise */
} series;

/* Errors: TD_UNAVAILABLE, which no engine's launch returns */
static td_status read_counter(td_engine *engine, double *joules, td_error *error)
{
    if (!engine->ops->can.energy) {
        return td_fail(error, TD_UNAVAILABLE, "the %s engine has no energy counter",
                       engine->ops->name);
    }
    return engine->ops->energy_j(engine, joules, error) == TD_OK ? TD_OK : TD_UNAVAILABLE;
}

/* Launch for at least `least_ms`, and then until the counter changes. */
static td_status launch_window(series *s, double least_ms, td_error *error)
{
    double unchanged_ms = 0.0;
    bool changed = false;
    s->elapsed_ms = 0.0;
    s->launches = 0;
    while (!changed || s->elapsed_ms < least_ms) {
        double ms = 0.0, joules = 0.0;
        TRY(s->engine->ops->sample(s->engine, s->prepared, &ms, error));
        TRY(read_counter(s->engine, &joules, error));
        s->elapsed_ms += ms;
        s->launches += s->batch;
        changed = joules != s->joules;
        unchanged_ms = changed ? 0.0 : unchanged_ms + ms;
        if (!changed && (unchanged_ms > patience_ms || ms <= 0.0)) {
            return td_fail(error, TD_UNAVAILABLE, "the energy counter does not change");
        }
        s->joules = joules;
    }
    return TD_OK;
}

static td_status launch_windows(series *s, td_energy *energy, td_error *error)
{
    TRY(launch_window(s, 0.0, error)); /* start at a change */
    for (uint32_t w = 0; w < TD_ENERGY_WINDOWS; w++) {
        const double before_j = s->joules;
        td_engine_beat(s->engine);
        TRY(launch_window(s, window_ms, error));
        energy->launch_j[w] = (s->joules - before_j) / (double)s->launches;
        energy->joules += s->joules - before_j;
        energy->launches += s->launches;
        energy->seconds += s->elapsed_ms / 1e3;
    }
    energy->windows = TD_ENERGY_WINDOWS;
    return TD_OK;
}

/* Any sample will do to size a batch, so this does not compute the median. A power of two fills graphs evenly. */
static uint32_t batch_of(const td_result *result)
{
    const double launch_ms = result->sample_ms[result->sample_count / 2];
    uint32_t batch = 1;
    while (batch * launch_ms < batch_ms && batch < 16384) {
        batch *= 2;
    }
    return batch;
}

td_status td_energy_measure(td_engine *engine, const td_execution *execution, td_result *result,
                            td_error *error)
{
    series s = {.engine = engine, .batch = batch_of(result)};
    td_energy *energy = &result->energy;
    const bool graph =
        result->sampling != TD_SAMPLING_HOST && td_takes_graph(engine, execution, s.batch);
    *energy = (td_energy){.asked = true};
    td_status status = read_counter(engine, &s.joules, error);
    if (status == TD_OK) {
        status = engine->ops->prepare(engine, execution, s.batch, graph, &s.prepared, error);
    }
    if (status == TD_OK) {
        status = launch_windows(&s, energy, error);
        engine->ops->discard(engine, s.prepared);
    }
    if (status == TD_UNAVAILABLE) {
        snprintf(energy->reason, sizeof energy->reason, "%.*s", (int)sizeof energy->reason - 1,
                 error->text);
        return TD_OK;
    }
    return status;
}

/* Wait for the counter's next change: its value, and the time. False if it does not change or cannot be read. */
static bool next_change(td_engine *engine, double *joules, double *at_s)
{
    const double start_s = td_now_s();
    double first = 0.0;
    td_error ignored;
    bool known = read_counter(engine, &first, &ignored) == TD_OK;
    *joules = first;
    *at_s = start_s;
    while (known && *joules == first && *at_s - start_s < patience_ms / 1e3) {
        poll(NULL, 0, 2);
        known = read_counter(engine, joules, &ignored) == TD_OK;
        *at_s = td_now_s();
    }
    return known && *joules != first;
}

void td_energy_idle(td_engine *engine, double seconds, td_environment *environment)
{
    double before_j = 0.0, before_s = 0.0, after_j = 0.0, after_s = 0.0;
    td_error ignored;
    environment->idle_power_w = 0.0;
    if (read_counter(engine, &before_j, &ignored) != TD_OK) {
        return;
    }
    poll(NULL, 0, (int)(500.0 * seconds));
    if (next_change(engine, &before_j, &before_s)) {
        poll(NULL, 0, (int)(1e3 * seconds));
        if (next_change(engine, &after_j, &after_s)) {
            environment->idle_power_w = (after_j - before_j) / (after_s - before_s);
        }
    }
}
