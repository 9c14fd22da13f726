/*
 * edm4_loop - what the cpu engine makes of a plain loop: edm4, N = 8192, two threads.
 *
 * The same arithmetic twice: once as a strategy and a workload that the engine puts together, once as
 * an OpenMP double loop over the same memory, as one would write it by hand. Prints both times and
 * the ratio; exit status 1 when the engine is less than half as fast.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/cpu/row.h"
#include "engine/bench/planning.h"
#include "engine/bench/group.h"
#include "engine/bench/verification.h"

enum { N = 8192, THREADS = 2, ROUNDS = 15, FEATURES = 4 };

/* Rows of a triangle differ in length: dynamic, as the engine hands out its blocks. */
static void hand_written(const float *input, float *output)
{
#pragma omp parallel for num_threads(THREADS) schedule(dynamic, 16)
    for (uint32_t row = 0; row < N; row++) {
        float *out = output + td_triangle(row);
#pragma omp simd
        for (uint32_t col = 0; col <= row; col++) {
            float sum = 0.0f;
            for (uint32_t k = 0; k < FEATURES; k++) {
                const float difference = input[k * N + row] - input[k * N + col];
                sum += difference * difference;
            }
            out[col] = sqrtf(sum);
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double ms[ROUNDS])
{
    qsort(ms, ROUNDS, sizeof *ms, by_value);
    return ms[ROUNDS / 2];
}

static double hand_written_ms(const td_buffers *buffers)
{
    const double start = omp_get_wtime();
    hand_written(buffers->data.input, buffers->data.output);
    return (omp_get_wtime() - start) * 1e3;
}

/* The two in turn, so that a busy machine is busy for both. */
static td_status compare(td_buffers *buffers, const td_execution *execution, double *engine_ms,
                         double *loop_ms, td_error *error)
{
    td_engine *engine = buffers->engine;
    td_prepared *prepared = NULL;
    double engine_times[ROUNDS], loop_times[ROUNDS];
    td_status status = engine->ops->prepare(engine, execution, 1, false, &prepared, error);
    for (int round = -1; round < ROUNDS && status == TD_OK; round++) { /* -1 warms up */
        double ms = 0.0;
        const double hand_ms = hand_written_ms(buffers);
        status = engine->ops->sample(engine, prepared, &ms, error);
        if (round >= 0) {
            engine_times[round] = ms;
            loop_times[round] = hand_ms;
        }
    }
    if (prepared != NULL) {
        engine->ops->discard(engine, prepared);
    }
    if (status == TD_OK) {
        *engine_ms = median_of(engine_times);
        *loop_ms = median_of(loop_times);
    }
    return status;
}

static td_status measure(td_engine *engine, const char *strategy, double *ratio, td_error *error)
{
    td_run run = {.strategy = td_strategy_find(strategy), .workload = td_workload_find("edm4", 2)};
    run.problem.n = N;
    run.problem.seed = 1;
    run.block.x = run.block.y = run.tile = 16;
    run.block.z = 1;
    td_plan plan = {0};
    td_buffers buffers;
    td_status status = td_run_plan(&run, false, &plan, error);
    if (status == TD_OK) {
        status = td_buffers_open(engine, run.workload, &run.problem, &buffers, error);
    }
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&buffers, &run, &plan);
        double engine_ms = 0.0, loop_ms = 0.0;
        status = compare(&buffers, &execution, &engine_ms, &loop_ms, error);
        td_buffers_close(&buffers);
        *ratio = loop_ms / engine_ms;
        printf("edm4, N = %d, %d threads, 16x16, median of %d: loop %.2f ms, engine (%s) %.2f ms, "
               "%.2f of the loop's speed\n",
               N, THREADS, ROUNDS, loop_ms, strategy, engine_ms, *ratio);
    }
    td_plan_free(&plan);
    return status;
}

int main(void)
{
    static const char *const strategies[] = {"bb", "ltm-r", "ltm-i", "rec"};
    const td_engine_config config = {.threads = THREADS};
    td_engine *engine = NULL;
    td_error error = {""};
    double worst = 1e9;
    td_status status = td_cpu_ops.open(&config, &engine, &error);
    for (size_t s = 0; s < sizeof strategies / sizeof strategies[0] && status == TD_OK; s++) {
        double ratio = 0.0;
        status = measure(engine, strategies[s], &ratio, &error);
        worst = ratio < worst ? ratio : worst;
    }
    td_cpu_ops.close(engine);
    if (status != TD_OK) {
        fprintf(stderr, "edm4_loop: %s\n", error.text);
        return 2;
    }
    return worst >= 0.5 ? 0 : 1;
}
