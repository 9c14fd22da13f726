/* made_up_engine.h - the cpu engine with a simulated clock and energy counter, for tests. */
#ifndef TD_TESTS_UNIT_MADE_UP_ENGINE_H
#define TD_TESTS_UNIT_MADE_UP_ENGINE_H

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench/group.h"
#include "engine/core/error.h"
#include "engine/cpu/row.h"
#include "command.h"

/* What a test makes up. */
typedef struct made_up {
    double launch_ms;
    double cold_ms;                      /* launches before the warm-up; 0: launch_ms */
    double (*course)(uint32_t launches); /* factor on launch_ms by earlier launches; NULL: 1 */
    const char *taken_by;                /* the strategy with this course; NULL: all */
    bool no_graphs;                      /* unlike a GPU */
    uint64_t free_bytes;                 /* 0: those of the host */
    const char *no_counter;              /* reason; NULL: the energy counter can be read */
    double renewed_every_j;              /* step of that counter; 0: none */
} made_up;

struct td_prepared {
    const td_strategy *strategy;
    uint32_t batch, steps;
};

/* The engine, and what it has noted since a group began. */
static made_up engine_of;
static uint32_t preparations, launched, looks;
static double joules;   /* half a joule per launch */
static char order[256]; /* one letter per sample, after the warm-up: 'a' plus the run's number */

static inline void append(char line[256], char letter)
{
    const size_t length = strlen(line);
    if (length < 255) {
        line[length] = letter;
        line[length + 1] = '\0';
    }
}

static inline td_status made_up_prepare(td_engine *engine, const td_execution *execution,
                                        uint32_t batch, bool graph, td_prepared **prepared,
                                        td_error *error)
{
    (void)engine, (void)graph, (void)error;
    *prepared = malloc(sizeof **prepared);
    assert_non_null(*prepared);
    **prepared = (td_prepared){execution->strategy, batch, execution->steps};
    preparations++;
    return TD_OK;
}

static inline void made_up_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    free(prepared);
}

static inline td_status made_up_sample(td_engine *engine, td_prepared *p, double *batch_ms,
                                       td_error *error)
{
    (void)engine, (void)error;
    const made_up *m = &engine_of;
    const bool is_taken = m->taken_by == NULL || strcmp(p->strategy->name, m->taken_by) == 0;
    const double factor = m->course != NULL && is_taken ? m->course(launched) : 1.0;
    *batch_ms = preparations == 1 && m->cold_ms > 0.0 ? m->cold_ms
                                                      : m->launch_ms * p->steps * p->batch * factor;
    launched += p->batch;
    joules += 0.5 * p->batch;
    return TD_OK;
}

static inline td_status made_up_free_memory(td_engine *engine, uint64_t *available, td_error *error)
{
    TRY(td_cpu_ops.free_memory(engine, available, error));
    *available = engine_of.free_bytes > 0 ? engine_of.free_bytes : *available;
    return TD_OK;
}

static inline td_status made_up_energy(td_engine *engine, double *counter, td_error *error)
{
    const double step = engine_of.renewed_every_j;
    (void)engine;
    *counter = step > 0.0 ? step * floor(joules / step) : joules;
    return engine_of.no_counter == NULL ? TD_OK
                                        : td_fail(error, TD_FAILED, "%s", engine_of.no_counter);
}

static inline void made_up_telemetry(td_engine *engine, td_telemetry *telemetry)
{
    (void)engine;
    telemetry->sm_mhz = ++looks;
}

static inline void note_sample(void *context, size_t run, const char *phase)
{
    (void)context;
    if (strcmp(phase, "sample") == 0) {
        append(order, (char)('a' + (char)run));
    }
}

enum { MOST_RUNS = 4 };

/* The results of a group, whose samples are gone: time_ms summarises them. Returns the number of runs. */
static inline size_t run_group(made_up as, const char *strategies, td_protocol protocol,
                               td_result results[MOST_RUNS])
{
    char line[LINE_SIZE];
    command c;
    const td_engine_config config = {.threads = 1};
    const td_observer observer = {.phase = note_sample};
    td_engine_ops ops = td_cpu_ops;
    ops.prepare = made_up_prepare;
    ops.discard = made_up_discard;
    ops.sample = made_up_sample;
    ops.free_memory = made_up_free_memory;
    ops.energy_j = made_up_energy;
    ops.telemetry = made_up_telemetry;
    ops.can.energy = true;
    ops.can.graphs = !as.no_graphs;
    td_engine *engine;
    snprintf(line, sizeof line, "-s %s -n 64 --baseline none", strategies);
    make_ok(line, &c);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &c.error), TD_OK);
    engine->ops = &ops;
    engine_of = as;
    preparations = launched = looks = 0;
    memset(order, 0, sizeof order);
    memset(results, 0, MOST_RUNS * sizeof *results);
    const td_group *group = &c.sweep.groups[0];
    const size_t count = group->count;
    assert_true(count <= MOST_RUNS);
    td_group_run(engine, &protocol, group, &observer, results);
    td_cpu_ops.close(engine);
    done(&c);
    for (size_t r = 0; r < count; r++) {
        td_result_free(&results[r]);
    }
    return count;
}

/* The result of a sole run. */
static inline td_result run_one(made_up as, td_protocol protocol)
{
    td_result results[MOST_RUNS];
    assert_int_equal(run_group(as, "bb", protocol, results), 1);
    return results[0];
}

#endif
