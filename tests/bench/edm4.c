/*
 * edm4 - one launch of edm4 at a time, for tests/bench/compare: by the cpu engine, or by a plain loop.
 *
 * usage: edm4 THREADS [ISA], then a line per launch on standard input:
 *     N STRATEGY TILE   the engine, packed, blocks of 16x16
 *     N loop 0          the loop of native/loop.c, on the same memory
 * ISA: another instruction set than the widest, such as avx2. Prints the processor, then a time per line [ms].
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench/group.h"
#include "engine/cpu/row.h"
#include "engine/needs/execution.h"
#include "engine/needs/planning.h"
#include "native/loop.h"

typedef struct bench {
    td_engine *engine;
    int threads;
    td_buffers buffers;
    uint32_t n; /* that the buffers are for, 0: none */
} bench;

static td_status open_for(bench *b, uint32_t n, td_error *error)
{
    if (b->n == n) {
        return TD_OK;
    }
    if (b->n > 0) {
        td_buffers_close(&b->buffers);
        b->n = 0;
    }
    const td_problem problem = {.n = n, .seed = 1};
    const td_status status =
        td_buffers_open(b->engine, td_workload_find("edm4", 2), &problem, &b->buffers, error);
    b->n = status == TD_OK ? n : 0;
    return status;
}

static td_status launch_ms(bench *b, const char *strategy, uint32_t tile, double *ms,
                           td_error *error)
{
    td_run run = {.strategy = td_strategy_find(strategy),
                  .workload = td_workload_find("edm4", 2),
                  .engine = b->engine->ops};
    td_plan plan = {0};
    td_prepared *prepared = NULL;
    if (run.strategy == NULL || tile == 0) {
        return td_fail(error, TD_USAGE, "no strategy '%s' with tile %u", strategy, tile);
    }
    run.problem.n = b->n;
    run.problem.seed = 1;
    run.block.x = run.block.y = 16;
    run.block.z = 1;
    run.tile = tile;
    td_status status = td_run_plan(&run, false, &plan, error);
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&b->buffers, &run, &plan);
        status = b->engine->ops->prepare(b->engine, &execution, 1, false, &prepared, error);
    }
    if (status == TD_OK) {
        status = b->engine->ops->sample(b->engine, prepared, ms, error);
        b->engine->ops->discard(b->engine, prepared);
    }
    td_plan_free(&plan);
    return status;
}

static double loop_ms(const bench *b)
{
    const double start = omp_get_wtime();
    edm4_loop((int)b->n, b->threads, b->buffers.data.input, b->buffers.data.output);
    return (omp_get_wtime() - start) * 1e3;
}

static td_status answer(bench *b, uint32_t n, const char *what, uint32_t tile, td_error *error)
{
    double ms = 0.0;
    td_status status = open_for(b, n, error);
    if (status == TD_OK && strcmp(what, "loop") == 0) {
        ms = loop_ms(b);
    } else if (status == TD_OK) {
        status = launch_ms(b, what, tile, &ms, error);
    }
    if (status == TD_OK) {
        printf("%.6f\n", ms);
        fflush(stdout);
    }
    return status;
}

/* The kernels called `isa`, the best for NULL; NULL: this processor has none of that name. */
static const td_cpu_kernels *kernels_called(const char *isa)
{
    const td_cpu_kernels *kernels = isa == NULL ? td_cpu_kernels_best() : td_cpu_kernels_at(0);
    for (size_t k = 1; isa != NULL && kernels != NULL && strcmp(kernels->isa, isa) != 0; k++) {
        kernels = td_cpu_kernels_at(k);
    }
    return kernels;
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 0;
    const td_cpu_kernels *kernels = kernels_called(argc > 2 ? argv[2] : NULL);
    bench b = {.threads = threads > 0 ? threads : 1};
    const td_engine_config config = {.threads = (uint32_t)b.threads};
    td_environment environment = {0};
    td_error error = {""};
    char what[32];
    uint32_t n, tile;
    td_status status = td_cpu_ops.open(&config, &b.engine, &error);
    if (status == TD_OK && kernels == NULL) {
        status = td_fail(&error, TD_USAGE, "no %s on this processor", argv[2]);
    }
    if (status == TD_OK) {
        td_cpu_use(b.engine, kernels);
        td_engine_describe(b.engine, &environment);
        printf("%s, %s\n", environment.cpu_model, environment.cpu_isa);
        fflush(stdout);
    }
    while (status == TD_OK && scanf("%u %31s %u", &n, what, &tile) == 3) {
        status = answer(&b, n, what, tile, &error);
    }
    if (b.n > 0) {
        td_buffers_close(&b.buffers);
    }
    td_cpu_ops.close(b.engine);
    if (status != TD_OK) {
        fprintf(stderr, "edm4: %s\n", error.text);
        return 2;
    }
    return 0;
}
