#include "energy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "engine/core/clock.h"
#include "engine/core/error.h"
#include "sampling.h"

/*
 * The counter of an H200 is updated some ten times per second, and is read between batches. A window lasts several
 * updates, and a batch is short compared with a window: the position of an update within its batch changes a window's
 * energy by 1.5 % at most. A batch is long compared with the 15 us that the host needs between two batches.
 */
static const double window_ms = 350.0, batch_ms = 5.0;
static const double patience_ms = 3000.0; /* without an update: the counter does not work */

/* A run that is launched over and over. */
typedef struct series {
    td_engine *engine;
    td_prepared *prepared;
    uint32_t batch;
    double joules;       /* when last read */
    double elapsed_ms;   /* device time since the window began */
    uint64_t launches;   /* likewise */
    double unchanged_ms; /* device time since the counter changed */
} series;

static td_status read_counter(td_engine *engine, double *joules, td_error *error)
{
    if (!engine->ops->can.energy) {
        return td_fail(error, TD_FAILED, "the %s engine has no energy counter", engine->ops->name);
    }
    return engine->ops->energy_j(engine, joules, error);
}

double td_energy_now_j(td_engine *engine)
{
    double joules = 0.0;
    td_error ignored;
    return read_counter(engine, &joules, &ignored) == TD_OK ? joules : -1.0;
}

static void refuse(td_result *result, const char *why)
{
    result->energy.windows = 0;
    snprintf(result->energy.reason, sizeof result->energy.reason, "%.*s",
             (int)sizeof result->energy.reason - 1, why);
}

/* Run one batch and read the counter. Errors: the engine's; `why` says why the counter cannot be used. */
static td_status launch_batch(series *s, bool *changed, td_error *why, td_error *error)
{
    double ms = 0.0, joules = 0.0;
    TRY(s->engine->ops->sample(s->engine, s->prepared, &ms, error));
    s->elapsed_ms += ms;
    s->unchanged_ms += ms;
    s->launches += s->batch;
    why->text[0] = '\0';
    if (read_counter(s->engine, &joules, why) != TD_OK) {
        return TD_OK;
    }
    *changed = joules != s->joules;
    s->joules = joules;
    if (*changed) {
        s->unchanged_ms = 0.0;
    } else if (s->unchanged_ms > patience_ms || ms <= 0.0) {
        (void)td_fail(why, TD_FAILED, "the energy counter does not change");
    }
    return TD_OK;
}

/* Launch for at least `least_ms`, and then until the counter changes. */
static td_status launch_window(series *s, double least_ms, td_error *why, td_error *error)
{
    bool changed = false;
    s->elapsed_ms = 0.0;
    s->launches = 0;
    do {
        changed = false;
        TRY(launch_batch(s, &changed, why, error));
    } while (why->text[0] == '\0' && (!changed || s->elapsed_ms < least_ms));
    return TD_OK;
}

static td_status launch_windows(series *s, const td_pulse *pulse, td_result *result,
                                td_error *error)
{
    td_energy *energy = &result->energy;
    td_error why = {""};
    TRY(launch_window(s, 0.0, &why, error)); /* start at a change */
    while (why.text[0] == '\0' && energy->windows < TD_ENERGY_WINDOWS) {
        const double before_j = s->joules;
        td_pulse_beat(pulse);
        TRY(launch_window(s, window_ms, &why, error));
        energy->launch_j[energy->windows++] = (s->joules - before_j) / (double)s->launches;
        energy->joules += s->joules - before_j;
        energy->launches += s->launches;
        energy->seconds += s->elapsed_ms / 1e3;
    }
    if (why.text[0] != '\0') {
        refuse(result, why.text);
    }
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

td_status td_energy_measure(td_engine *engine, const td_execution *execution, const td_pulse *pulse,
                            td_result *result, td_error *error)
{
    series s = {.engine = engine, .batch = batch_of(result)};
    td_error why;
    result->energy = (td_energy){.asked = true};
    if (read_counter(engine, &s.joules, &why) != TD_OK) {
        refuse(result, why.text);
        return TD_OK;
    }
    const bool graph =
        result->sampling != TD_SAMPLING_HOST && td_takes_graph(engine, execution, s.batch);
    TRY(engine->ops->prepare(engine, execution, s.batch, graph, &s.prepared, error));
    const td_status status = launch_windows(&s, pulse, result, error);
    engine->ops->discard(engine, s.prepared);
    return status;
}

static void pause_s(double seconds)
{
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)(fmod(seconds, 1.0) * 1e9)};
    nanosleep(&pause, NULL);
}

/* Wait for the counter's next change: its value, and the time. False if it does not change or cannot be read. */
static bool next_change(td_engine *engine, double *joules, double *at_s)
{
    const double start_s = td_now_s();
    double first = 0.0;
    td_error ignored;
    td_status status = read_counter(engine, &first, &ignored);
    while (status == TD_OK && td_now_s() - start_s < patience_ms / 1e3) {
        status = read_counter(engine, joules, &ignored);
        *at_s = td_now_s();
        if (status == TD_OK && *joules != first) {
            return true;
        }
        pause_s(0.002);
    }
    return false;
}

void td_energy_idle(td_engine *engine, double seconds, td_environment *environment)
{
    double before_j = 0.0, before_s = 0.0, after_j = 0.0, after_s = 0.0;
    td_error ignored;
    environment->idle_power_w = 0.0;
    if (read_counter(engine, &before_j, &ignored) != TD_OK) {
        return;
    }
    pause_s(seconds / 2);
    if (!next_change(engine, &before_j, &before_s)) {
        return;
    }
    pause_s(seconds);
    if (next_change(engine, &after_j, &after_s)) {
        environment->idle_power_w = (after_j - before_j) / (after_s - before_s);
    }
}
