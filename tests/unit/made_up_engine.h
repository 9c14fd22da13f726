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
#include "engine/sweep/sweep.h"

struct td_prepared {
    const td_strategy *strategy;
    uint32_t batch;
    double ms;
};

/* The test sets the time of a launch. */
static double launch_ms;
static uint32_t generations;                /* of life; 0: the workload is dummy */
static double cold_ms;                      /* launches before the warm-up; 0: launch_ms */
static int preparations;                    /* so far */
static double (*course)(uint32_t launches); /* factor on launch_ms by earlier launches; NULL: 1 */
static const char *taken_by;                /* the strategy with this course; NULL: all */
static uint32_t launched;
static bool graphs = true; /* as on a GPU */
static double joules;
static char flush_order[256]; /* since the last preparation: 'f' flush, 's' sample */
static char order[256];       /* one letter per sample, after the warm-up */

static inline td_status made_up_prepare(td_engine *engine, const td_execution *execution,
                                        uint32_t batch, bool graph, td_prepared **prepared,
                                        td_error *error)
{
    (void)engine, (void)graph, (void)error;
    *prepared = malloc(sizeof **prepared);
    assert_non_null(*prepared);
    (*prepared)->strategy = execution->strategy;
    (*prepared)->batch = batch;
    (*prepared)->ms = launch_ms * batch * execution->steps;
    flush_order[0] = '\0';
    preparations++;
    return TD_OK;
}

static inline void made_up_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    free(prepared);
}

static inline td_status made_up_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                                       td_error *error)
{
    (void)engine, (void)error;
    const bool is_taken = taken_by == NULL || strcmp(prepared->strategy->name, taken_by) == 0;
    const double factor = course != NULL && is_taken ? course(launched) : 1.0;
    *batch_ms = preparations == 1 && cold_ms > 0.0 ? cold_ms : prepared->ms * factor;
    launched += prepared->batch;
    strncat(flush_order, "s", sizeof flush_order - strlen(flush_order) - 1);
    joules += 0.5 * prepared->batch; /* half a joule per launch */
    return TD_OK;
}

static size_t memory_count; /* allocations */

static inline td_status noted_allocate(td_engine *engine, uint64_t bytes, void **allocated,
                                       td_error *error)
{
    memory_count++;
    return td_cpu_ops.allocate(engine, bytes, allocated, error);
}

static size_t flushes;

static inline td_status noted_flush(td_engine *engine, td_error *error)
{
    (void)engine, (void)error;
    flushes++;
    strncat(flush_order, "f", sizeof flush_order - strlen(flush_order) - 1);
    return TD_OK;
}

static uint64_t free_bytes; /* 0: that of the host */

static inline td_status noted_free_memory(td_engine *engine, uint64_t *available, td_error *error)
{
    TRY(td_cpu_ops.free_memory(engine, available, error));
    *available = free_bytes > 0 ? free_bytes : *available;
    return TD_OK;
}

static const char *no_counter; /* reason; NULL: the counter can be read */
static double renewed_every_j; /* step of the counter; 0: none */

static inline td_status made_up_energy(td_engine *engine, double *counter, td_error *error)
{
    (void)engine;
    *counter = renewed_every_j > 0.0 ? renewed_every_j * floor(joules / renewed_every_j) : joules;
    return no_counter == NULL ? TD_OK : td_fail(error, TD_FAILED, "%s", no_counter);
}

static uint32_t looks; /* so far */

static inline void made_up_telemetry(td_engine *engine, td_telemetry *telemetry)
{
    (void)engine;
    telemetry->sm_mhz = ++looks;
}

/* Appends a letter for each sample, in the order of the samples: 'a' plus the run's number. */
static inline void note_sample(void *context, size_t run, const char *phase)
{
    (void)context;
    if (strcmp(phase, "sample") == 0) {
        const char letter[] = {(char)('a' + (char)run), '\0'};
        strncat(order, letter, sizeof order - strlen(order) - 1);
    }
}

enum { MOST_RUNS = 4 };

/* Runs the first group of a command line and returns its number of runs. The caller releases results[]. */
static inline size_t run_group(char *strategies, td_protocol protocol, td_result results[MOST_RUNS])
{
    char steps[16];
    snprintf(steps, sizeof steps, "%u", generations);
    char *argv[] = {"tribench", "-s", strategies, "-n",      "64", "--baseline",
                    "none",     "-w", "life",     "--steps", steps};
    const td_engine_config config = {.threads = 1};
    const td_observer observer = {.phase = note_sample};
    td_engine_ops ops = td_cpu_ops;
    ops.prepare = made_up_prepare;
    ops.discard = made_up_discard;
    ops.sample = made_up_sample;
    ops.allocate = noted_allocate;
    ops.flush = noted_flush;
    ops.free_memory = noted_free_memory;
    ops.energy_j = made_up_energy;
    ops.telemetry = made_up_telemetry;
    ops.can.energy = true;
    ops.can.graphs = graphs;
    td_options options;
    td_sweep sweep;
    td_engine *engine;
    td_error error = {""};
    assert_int_equal(td_options_parse(generations > 0 ? 11 : 7, argv, &options, &error), TD_OK);
    assert_int_equal(td_sweep_make(&options, NULL, &td_cpu_ops, &sweep, &error), TD_OK);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    engine->ops = &ops;
    order[0] = '\0';
    preparations = 0;
    memory_count = 0;
    looks = 0;
    memset(results, 0, MOST_RUNS * sizeof *results);
    const size_t count = sweep.groups[0].count;
    assert_true(count <= MOST_RUNS);
    td_group_run(engine, &protocol, &sweep.groups[0], &observer, results);
    td_cpu_ops.close(engine);
    td_sweep_free(&sweep);
    td_options_free(&options);
    return count;
}

static inline void release(td_result *results, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        td_result_free(&results[r]);
    }
}

#endif
