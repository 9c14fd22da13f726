/* cpu.c - the host's cores as an engine: the OpenMP loop over the blocks of a grid, written once. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arithmetic.h"
#include "check_3d.h"
#include "check_counts.h"
#include "coverage.h"
#include "engine/core/clock.h"
#include "engine/host.h"
#include "kernel_table.h"
#include "row.h"
#include "walk.h"

typedef struct cpu_engine {
    td_engine base;
    int threads;
    const td_cpu_kernels *kernels; /* for the instruction set of this processor */
    uint64_t stream_bytes;         /* an output of so many goes past the caches */
    uint8_t *flush;                /* larger than any cache; made at the first use */
    double exchange_ms;            /* of the last execution, all of its halos */
    uint32_t exchanges;
} cpu_engine;

enum {
    FLUSH_BYTES = 256 << 20,
    LEAST_PEAK_BYTES = 64 << 20,
    PAGE_BYTES = TD_HOST_PAGE_BYTES,
    STREAM_ROW_BYTES = 256
};

/* What the blocks of an execution do. */
typedef struct cpu_job {
    const td_strategy *strategy;
    td_cpu_walk_fn *walk;
    td_cpu_work work;
} cpu_job;

struct td_prepared {
    td_execution execution;
    uint32_t batch;
};

static uint64_t quarter_of_last_cache(void)
{
    long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    bytes = bytes > 0 ? bytes : sysconf(_SC_LEVEL2_CACHE_SIZE);
    return bytes > 0 ? (uint64_t)bytes / 4 : 8 << 20; /* not every kernel knows */
}

static td_status cpu_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    cpu_engine *cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory to open the cpu engine");
    }
    cpu->base.ops = &td_cpu_ops;
    cpu->threads = config->threads > 0 ? (int)config->threads : omp_get_num_procs();
    cpu->kernels = td_cpu_kernels_best();
    cpu->stream_bytes = quarter_of_last_cache();
    omp_set_num_threads(cpu->threads); /* for references that workloads compute themselves */
    *engine = &cpu->base;
    return TD_OK;
}

static void cpu_close(td_engine *engine)
{
    if (engine != NULL) {
        free(((cpu_engine *)engine)->flush);
        free(engine);
    }
}

static void cpu_describe(td_engine *engine, td_environment *environment)
{
    const cpu_engine *cpu = (const cpu_engine *)engine;
    environment->cpu_threads = (uint32_t)cpu->threads;
    snprintf(environment->cpu_isa, sizeof environment->cpu_isa, "%s", cpu->kernels->isa);
}

static td_status cpu_fill(td_engine *engine, void *memory, uint8_t byte, uint64_t bytes,
                          td_error *error)
{
    (void)error;
    uint8_t *first = memory;
    const uint64_t pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
#pragma omp parallel for num_threads(((cpu_engine *)engine)->threads) schedule(static)
    for (uint64_t page = 0; page < pages; page++) {
        const uint64_t start = page * PAGE_BYTES;
        memset(first + start, byte, bytes - start < PAGE_BYTES ? bytes - start : PAGE_BYTES);
    }
    return TD_OK;
}

/* ---- blocks ---- */

/* Cells that a thread takes at a time: more than a wasted block costs, and less than would leave others idle. */
enum { CELLS_AT_A_TIME = 65536 };

/* The same in blocks. */
static uint64_t blocks_at_a_time(const td_launch *launch, const td_strategy *strategy)
{
    const uint64_t square = (uint64_t)launch->tile * launch->tile;
    const uint64_t threads = (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    const uint64_t cells = strategy->unit == TD_MAPS_THREADS ? threads
                           : strategy->dimension == 3        ? square * launch->width
                                                             : square;
    return cells < CELLS_AT_A_TIME ? CELLS_AT_A_TIME / cells : 1;
}

/* Blocks of one grid, in any order: dynamic, for a wasted block costs next to nothing. */
static void run_grid(const td_launch *launch, const td_data *data, const cpu_job *job, int threads)
{
    td_cpu_walk_fn *const walk = launch->rectangle ? td_cpu_walk_square : job->walk;
    const uint64_t blocks = td_launch_blocks(launch);
    const uint64_t step = blocks_at_a_time(launch, job->strategy);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (uint64_t first = 0; first < blocks; first += step) {
        walk(launch, data, job->work, first, blocks - first < step ? blocks : first + step);
    }
}

/*
 * Whether results go past the caches: where the output would not stay in them, and a row of a tile has whole lines
 * enough. A quarter of the last cache is where glibc's memset (2.38) changes over.
 */
static bool streams(const cpu_engine *cpu, const td_execution *execution)
{
    const td_data *data = &execution->data;
    const size_t element = td_element_bytes(execution->workload->element);
    const uint64_t cells = data->full != 0 ? (uint64_t)data->n * data->n : td_triangle(data->n);
    const bool is_large = cells * element >= cpu->stream_bytes;
    const uint64_t columns = execution->plan->count > 0 ? execution->plan->launches[0].tile : 0;
    return execution->workload->own_element && is_large && columns * element >= STREAM_ROW_BYTES;
}

static cpu_job job_of(const cpu_engine *cpu, const td_execution *execution)
{
    const td_workload *workload = execution->workload;
    cpu_job job = {.strategy = execution->strategy, .walk = td_cpu_walk_of(execution->strategy)};
    job.work.run = cpu->kernels->run[workload->id];
    job.work.tile = streams(cpu, execution) ? cpu->kernels->stream[workload->id]
                                            : cpu->kernels->tile[workload->id];
    if (workload->is_square != NULL && execution->data.full != 0) {
        job.walk = td_cpu_walk_square;
        job.work.tile = cpu->kernels->square[workload->id];
    }
    return job;
}

static void run_grids(const cpu_engine *cpu, const td_execution *execution, const td_data *data,
                      const cpu_job *job, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        run_grid(&execution->plan->launches[i], data, job, cpu->threads);
    }
}

static void begin_exchange(cpu_engine *cpu, const td_halo *halo, void *state)
{
    td_swap swaps[2];
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        const uintptr_t at = (uintptr_t)state;
        const td_swap one = {rows->with, (const void *)(at + rows->give), (void *)(at + rows->take),
                             rows->give_bytes, rows->take_bytes};
        swaps[i] = one;
    }
    td_ranks_swap_begin(cpu->base.ranks, swaps);
}

/* The rows at the cuts, then their exchange beside all others. The last step has nobody to exchange for. */
static void run_part(cpu_engine *cpu, const td_execution *execution, uint32_t step,
                     const td_data *data, const cpu_job *job)
{
    const td_plan *plan = execution->plan;
    const bool exchanges = execution->halo.exists && step + 1 < execution->steps;
    run_grids(cpu, execution, data, job, 0, plan->edges);
    const double start_ms = td_now_ms();
    if (exchanges) {
        begin_exchange(cpu, &execution->halo, data->output);
    }
    const double begun_ms = td_now_ms();
    run_grids(cpu, execution, data, job, plan->edges, plan->count);
    if (exchanges) {
        const double inner_ms = td_now_ms();
        td_ranks_swap_end(cpu->base.ranks);
        cpu->exchange_ms += begun_ms - start_ms + td_now_ms() - inner_ms;
        cpu->exchanges++;
    }
}

static void run_once(cpu_engine *cpu, const td_execution *execution)
{
    const cpu_job job = job_of(cpu, execution);
    for (uint32_t step = 0; step < execution->steps; step++) {
        const td_data data = td_execution_step(execution, step);
        if (execution->strategy->tree) {
            td_cpu_tree(execution, &data, job.walk, job.work, cpu->threads);
        } else {
            run_part(cpu, execution, step, &data, &job);
        }
        if (execution->workload->total != NULL) {
            td_cpu_total(&data);
        }
    }
}

/* What waited for the exchange, not what it took beside the work. */
static double cpu_exchange_ms(td_engine *engine)
{
    const cpu_engine *cpu = (const cpu_engine *)engine;
    return cpu->exchanges > 0 ? cpu->exchange_ms / cpu->exchanges : -1.0;
}

static td_status cpu_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    (void)error;
    run_once((cpu_engine *)engine, execution);
    return TD_OK;
}

static td_status cpu_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                             bool graph, td_prepared **prepared, td_error *error)
{
    (void)engine;
    (void)graph;
    *prepared = malloc(sizeof **prepared);
    if (*prepared == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory to prepare a run");
    }
    (*prepared)->execution = *execution;
    (*prepared)->batch = batch;
    return TD_OK;
}

static void cpu_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    free(prepared);
}

static td_status cpu_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                            td_error *error)
{
    (void)error;
    ((cpu_engine *)engine)->exchange_ms = 0.0;
    ((cpu_engine *)engine)->exchanges = 0;
    const double start = td_now_ms();
    for (uint32_t launch = 0; launch < prepared->batch; launch++) {
        run_once((cpu_engine *)engine, &prepared->execution);
    }
    *batch_ms = td_now_ms() - start;
    return TD_OK;
}

static td_status cpu_flush(td_engine *engine, td_error *error)
{
    cpu_engine *cpu = (cpu_engine *)engine;
    if (cpu->flush == NULL) {
        cpu->flush = malloc(FLUSH_BYTES);
    }
    if (cpu->flush == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory to flush the caches");
    }
    return cpu_fill(engine, cpu->flush, 1, FLUSH_BYTES, error);
}

/* In the full layout what lies right of the domain in a row must still hold the poison. */
static uint64_t touched_right_of(const td_workload *workload, const td_data *data, uint32_t row,
                                 uint32_t end)
{
    if (data->full == 0 || !workload->has_layouts) {
        return 0;
    }
    const size_t element = td_element_bytes(workload->element);
    const uint8_t *output = data->output;
    return td_count_other(output + ((uint64_t)row * data->n + end) * element, workload->poison,
                          (data->n - end) * element);
}

/* Cells of a row. */
static uint32_t end_of(const td_workload *workload, const td_data *data, uint32_t row)
{
    if (workload->is_square != NULL && data->full != 0) {
        return data->n;
    }
    return workload->no_diagonal ? row : row + 1;
}

static td_status cpu_check(td_engine *engine, const td_workload *workload, const td_data *data,
                           td_check_counts *counts, td_error *error)
{
    (void)error;
    if (workload->dimension == 3) {
        td_cpu_check_tetrahedron(workload, data, ((cpu_engine *)engine)->threads, counts);
        return TD_OK;
    }
    td_check_fn *check = td_cpu_check(workload);
    const td_share share = td_engine_share(engine, data->n);
#pragma omp parallel num_threads(((cpu_engine *)engine)->threads)
    {
        td_check_counts mine = {0};
#pragma omp for schedule(dynamic, 16)
        for (uint32_t row = share.first_row; row < share.end_row; row++) {
            const uint32_t end = end_of(workload, data, row);
            const uint32_t last = td_share_end(&share, row, end);
            for (uint32_t col = td_share_begin(&share, row, end); col < last; col++) {
                const td_verdict verdict = check(data, row, col);
                td_counts_add_verdict(&mine, verdict);
                td_counts_note_place(&mine, verdict, row, col);
            }
            mine.touched_outside += touched_right_of(workload, data, row, end);
        }
#pragma omp critical
        td_counts_add(counts, &mine);
    }
    return TD_OK;
}

static td_status cpu_count_other(td_engine *engine, const void *memory, uint8_t byte,
                                 uint64_t bytes, uint64_t *count, td_error *error)
{
    (void)engine;
    (void)error;
    *count = td_count_other(memory, byte, bytes);
    return TD_OK;
}

static td_status cpu_for_each_cell(td_engine *engine, const td_workload *workload,
                                   td_cell_task task, const td_data *data, td_error *error)
{
    const td_cpu_steps_fns *steps = td_cpu_steps(workload);
    td_cell_fn *cell = task == TD_TASK_POISON ? steps->paint : steps->reference;
    if (cell == NULL) {
        return td_fail(error, TD_FAILED, "%s does not advance in steps", workload->name);
    }
    const td_share share = td_engine_share(engine, data->n);
#pragma omp parallel for num_threads(((cpu_engine *)engine)->threads) schedule(dynamic, 16)
    for (uint32_t row = share.first_row; row < share.end_row; row++) {
        const uint32_t end = end_of(workload, data, row);
        const uint32_t last = td_share_end(&share, row, end);
        for (uint32_t col = td_share_begin(&share, row, end); col < last; col++) {
            cell(data, row, col);
        }
    }
    return TD_OK;
}

/* Two buffers of as many bytes as there is room for, 0: fewer than caches hold, which tells nothing of memory. */
static uint64_t open_pair(td_engine *engine, void **a, void **b)
{
    uint64_t available = 0;
    td_error ignored;
    *a = *b = NULL;
    (void)td_host_free_memory(engine, &available, &ignored);
    for (uint64_t bytes = FLUSH_BYTES; bytes >= LEAST_PEAK_BYTES; bytes /= 2) {
        if (bytes <= available / 4 && td_host_allocate(engine, bytes, a, &ignored) == TD_OK &&
            td_host_allocate(engine, bytes, b, &ignored) == TD_OK) {
            return bytes;
        }
        td_host_release(engine, *a);
        *a = *b = NULL;
    }
    return 0;
}

/* Fill and copy bandwidth of the host's memory, the best of three; unknown where there is no room to measure it. */
static td_status cpu_peak_bandwidth(td_engine *engine, td_environment *environment, td_error *error)
{
    void *a = NULL, *b = NULL;
    const uint64_t bytes = open_pair(engine, &a, &b);
    double fill_ms = 1e30, copy_ms = 1e30;
    for (int repeat = 0; bytes > 0 && repeat < 3; repeat++) {
        double start = td_now_ms();
        cpu_fill(engine, a, (uint8_t)repeat, bytes, error);
        double elapsed = td_now_ms() - start;
        fill_ms = elapsed < fill_ms ? elapsed : fill_ms;
        const uint64_t chunks = bytes / PAGE_BYTES;
        start = td_now_ms();
#pragma omp parallel for num_threads(((cpu_engine *)engine)->threads) schedule(static)
        for (uint64_t c = 0; c < chunks; c++) {
            memcpy((uint8_t *)b + c * PAGE_BYTES, (uint8_t *)a + c * PAGE_BYTES, PAGE_BYTES);
        }
        elapsed = td_now_ms() - start;
        copy_ms = elapsed < copy_ms ? elapsed : copy_ms;
    }
    if (bytes > 0) {
        environment->fill_gb_per_s = (double)bytes / (fill_ms * 1e6);
        environment->copy_gb_per_s = 2.0 * (double)bytes / (copy_ms * 1e6);
    }
    td_host_release(engine, a);
    td_host_release(engine, b);
    return TD_OK;
}

static td_status cpu_peak_arithmetic(td_engine *engine, td_environment *environment,
                                     td_error *error)
{
    (void)error;
    td_cpu_arithmetic(((cpu_engine *)engine)->threads, environment);
    return TD_OK;
}

static td_status cpu_coverage(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                              uint32_t *visits, uint64_t places, td_coverage *coverage,
                              td_error *error)
{
    const td_status status = cpu_fill(engine, visits, 0, places * sizeof *visits, error);
    if (status == TD_OK) {
        omp_set_num_threads(((cpu_engine *)engine)->threads);
        td_cpu_coverage(strategy, plan, visits, places, coverage);
    }
    return status;
}

void td_cpu_use(td_engine *engine, const td_cpu_kernels *kernels)
{
    ((cpu_engine *)engine)->kernels = kernels;
}

void td_cpu_stream_from(td_engine *engine, uint64_t bytes)
{
    ((cpu_engine *)engine)->stream_bytes = bytes;
}

const td_engine_ops td_cpu_ops = {
    .name = "cpu",
    .summary = "the cores of the host, OpenMP",
    .can = {.trees = true},
    .open = cpu_open,
    .describe = cpu_describe,
    .peak_bandwidth = cpu_peak_bandwidth,
    .peak_arithmetic = cpu_peak_arithmetic,
    .free_memory = td_host_free_memory,
    .allocate = td_host_allocate,
    .upload = td_host_copy,
    .for_each_cell = cpu_for_each_cell,
    .fill = cpu_fill,
    .launch = cpu_launch,
    .check = cpu_check,
    .count_other = cpu_count_other,
    .download = td_host_copy,
    .prepare = cpu_prepare,
    .flush = cpu_flush,
    .exchange_ms = cpu_exchange_ms,
    .sample = cpu_sample,
    .discard = cpu_discard,
    .release = td_host_release,
    .close = cpu_close,
    .coverage = cpu_coverage,
};
