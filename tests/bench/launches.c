/*
 * launches - one launch of a workload at a time, for tests/bench/compare: by the cpu engine, or by a plain loop.
 *
 * usage: launches WORKLOAD THREADS, then a line per launch on standard input:
 *     N STRATEGY TILE   the engine, packed, blocks of 16x16 or 8x8x8
 *     N loop 0          the loop of native/, on the same memory
 * WORKLOAD: edm4, or life for one generation of it in 3D.
 * Prints the processor, then a time per line [ms]. The loop must produce the engine's output.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/bench/group.h"
#include "engine/core/parameter.h"
#include "engine/cpu/row.h"
#include "engine/prepare/planning.h"
#include "native/loops.h"

/* The problem that both compute. */
typedef struct contest {
    const char *workload;
    int dimension;
    td_dim3 block;
    void (*loop)(int n, int threads, const void *input, void *output);
} contest;

static void edm4(int n, int threads, const void *input, void *output)
{
    edm4_loop(n, threads, input, output);
}

static void life3(int n, int threads, const void *input, void *output)
{
    life3_loop(n, threads, input, output);
}

static const contest contests[] = {
    {.workload = "edm4", .dimension = 2, .block = {16, 16, 1}, .loop = edm4},
    {.workload = "life", .dimension = 3, .block = {8, 8, 8}, .loop = life3},
};

typedef struct bench {
    const contest *contest;
    td_engine *engine;
    const td_workload *workload;
    int threads;
    td_problem problem;
    td_buffers buffers; /* for problem.n, 0: there are none */
    void *expected;     /* what the loop wrote; NULL: it has not run */
} bench;

static void close_buffers(bench *b)
{
    if (b->problem.n > 0) {
        td_buffers_close(&b->buffers);
        free(b->expected);
        b->expected = NULL;
        b->problem.n = 0;
    }
}

static td_status open_for(bench *b, uint32_t n, td_error *error)
{
    const char *why = NULL;
    if (b->problem.n == n) {
        return TD_OK;
    }
    close_buffers(b);
    const td_workload *workload = td_workload_find(b->contest->workload, b->contest->dimension);
    b->problem = (td_problem){.n = n, .seed = 1};
    td_parameters_preset(workload, b->problem.parameters);
    td_workload_set_steps(workload, &b->problem, 1);
    b->workload = td_workload_variant(workload, &b->problem, &why);
    const td_status status =
        td_buffers_open(b->engine, b->workload, &b->problem, &b->buffers, error);
    b->problem.n = status == TD_OK ? n : 0;
    return status;
}

static td_status launch_ms(bench *b, const char *strategy, uint32_t tile, double *ms,
                           td_error *error)
{
    td_run run = {.strategy = td_strategy_find(strategy),
                  .workload = b->workload,
                  .engine = b->engine->ops,
                  .problem = b->problem,
                  .block = b->contest->block,
                  .tile = tile};
    td_plan plan = {0};
    td_prepared *prepared = NULL;
    if (run.strategy == NULL || run.strategy->dimension != b->contest->dimension || tile == 0) {
        return td_fail(error, TD_USAGE, "no strategy '%s' with tile %u in %dD", strategy, tile,
                       b->contest->dimension);
    }
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
    if (status == TD_OK && b->expected != NULL &&
        memcmp(b->buffers.data.output, b->expected, b->buffers.output[0].bytes) != 0) {
        status = td_fail(error, TD_WRONG, "%s, tile %u: not what the loop writes", strategy, tile);
    }
    return status;
}

static double loop_ms(bench *b)
{
    const uint64_t bytes = b->buffers.output[0].bytes;
    const double start = omp_get_wtime();
    b->contest->loop((int)b->problem.n, b->threads, b->buffers.data.input, b->buffers.data.output);
    const double ms = (omp_get_wtime() - start) * 1e3;
    if (b->expected == NULL && (b->expected = malloc(bytes)) != NULL) {
        memcpy(b->expected, b->buffers.data.output, bytes);
    }
    return ms;
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

static const contest *contest_of(const char *workload)
{
    for (size_t i = 0; i < sizeof contests / sizeof contests[0]; i++) {
        if (strcmp(contests[i].workload, workload) == 0) {
            return &contests[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const int threads = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 0;
    bench b = {.contest = contest_of(argc > 1 ? argv[1] : ""),
               .threads = threads > 0 ? threads : 1};
    const td_engine_config config = {.threads = (uint32_t)b.threads};
    td_environment environment = {0};
    td_error error = {""};
    char what[32];
    uint32_t n, tile;
    td_status status = td_cpu_ops.open(&config, &b.engine, &error);
    if (status == TD_OK && b.contest == NULL) {
        status = td_fail(&error, TD_USAGE, "no such workload");
    }
    if (status == TD_OK) {
        td_engine_describe(b.engine, &environment);
        printf("%s, %s\n", environment.cpu_model, environment.cpu_isa);
        fflush(stdout);
    }
    while (status == TD_OK && scanf("%u %31s %u", &n, what, &tile) == 3) {
        status = answer(&b, n, what, tile, &error);
    }
    close_buffers(&b);
    td_cpu_ops.close(b.engine);
    if (status != TD_OK) {
        fprintf(stderr, "launches: %s\n", error.text);
        return 2;
    }
    return 0;
}
