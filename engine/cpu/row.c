/* row.c - the host's cores as an engine: their memory, their threads and their peak rates. */
#include "cpu.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/clock.h"
#include "engine/host.h"

enum { FLUSH_BYTES = 256 << 20, LEAST_PEAK_BYTES = 64 << 20, PAGE_BYTES = TD_HOST_PAGE_BYTES };

/* OMP_THREAD_LIMIT may grant fewer threads than requested, and the record says how many ran. */
static int granted_threads(int wanted)
{
    int granted = 1;
#pragma omp parallel num_threads(wanted)
#pragma omp single
    granted = omp_get_num_threads();
    return granted;
}

int td_cpu_team(td_engine *engine, uint64_t pieces)
{
    const td_cpu_engine *cpu = td_cpu_of(engine);
    const uint64_t most = pieces > (uint64_t)cpu->cores ? pieces : (uint64_t)cpu->cores;
    return (uint64_t)cpu->threads < most ? cpu->threads : (int)most;
}

static td_status cpu_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    td_cpu_engine *cpu = NULL;
    TRY(td_allocate(&cpu, 1, sizeof *cpu, error, "the cpu engine"));
    cpu->base.ops = &td_cpu_ops;
    omp_set_dynamic(0); /* otherwise the runtime takes fewer while others are busy */
    cpu->cores = (int)td_host_processors();
    cpu->threads = granted_threads(config->threads > 0 ? (int)config->threads : cpu->cores);
    omp_set_num_threads(cpu->threads); /* for references that workloads compute themselves */
    *engine = &cpu->base;
    return TD_OK;
}

static void cpu_close(td_engine *engine)
{
    if (engine != NULL) {
        free(td_cpu_of(engine)->flush);
        free(engine);
    }
}

static void cpu_describe(td_engine *engine, td_environment *environment)
{
    const td_cpu_engine *cpu = td_cpu_of(engine);
    environment->cpu_threads = (uint32_t)cpu->threads;
    snprintf(environment->cpu_isa, sizeof environment->cpu_isa, "%s", td_cpu_isa());
}

static td_status cpu_fill(td_engine *engine, void *memory, uint8_t byte, uint64_t bytes,
                          td_error *error)
{
    (void)error;
    uint8_t *first = memory;
    const uint64_t pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
#pragma omp parallel for num_threads(td_cpu_team(engine, pages)) schedule(static)
    for (uint64_t page = 0; page < pages; page++) {
        const uint64_t start = page * PAGE_BYTES;
        memset(first + start, byte, bytes - start < PAGE_BYTES ? bytes - start : PAGE_BYTES);
    }
    return TD_OK;
}

static td_status cpu_flush(td_engine *engine, td_error *error)
{
    td_cpu_engine *cpu = td_cpu_of(engine);
    if (cpu->flush == NULL) {
        cpu->flush = malloc(FLUSH_BYTES);
    }
    if (cpu->flush == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory to flush the caches");
    }
    return cpu_fill(engine, cpu->flush, 1, FLUSH_BYTES, error);
}

/* Open two buffers of as many bytes as there is room for and return their size. 0: there is no room for more than the
 * caches may hold, and smaller buffers would not measure memory. */
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

/* Keep the best rate so far and the number of bytes that reached it. */
static void keep_best(double rate, uint64_t bytes, double *best, double *best_bytes)
{
    if (rate > *best) {
        *best = rate;
        *best_bytes = (double)bytes;
    }
}

/* Measure the fill and copy bandwidth of the host's memory, the best of two sizes: anything smaller may fit the caches.
 * The first pass finds the pages untouched, so its size is measured again. The bandwidth stays unknown if there is no
 * room to measure it. */
static td_status cpu_peak_bandwidth(td_engine *engine, td_environment *e, td_error *error)
{
    void *a = NULL, *b = NULL;
    const uint64_t most = open_pair(engine, &a, &b);
    const uint64_t sizes[] = {most, most, most / 4 * 3};
    for (int i = 0; most > 0 && i < 3; i++) {
        const uint64_t bytes = sizes[i], chunks = bytes / PAGE_BYTES;
        const double megabytes = (double)bytes / 1e6; /* per ms: GB/s */
        const double start = td_now_ms();
        cpu_fill(engine, a, (uint8_t)i, bytes, error);
        const double filled = td_now_ms();
#pragma omp parallel for num_threads(td_cpu_of(engine)->threads) schedule(static)
        for (uint64_t c = 0; c < chunks; c++) {
            memcpy((uint8_t *)b + c * PAGE_BYTES, (uint8_t *)a + c * PAGE_BYTES, PAGE_BYTES);
        }
        keep_best(megabytes / (filled - start), bytes, &e->peaks.fill_gb_per_s,
                  &e->peaks.fill_bytes);
        keep_best(2.0 * megabytes / (td_now_ms() - filled), bytes, &e->peaks.copy_gb_per_s,
                  &e->peaks.copy_bytes);
    }
    td_host_release(engine, a);
    td_host_release(engine, b);
    return TD_OK;
}

const td_engine_ops td_cpu_ops = {
    .name = "cpu",
    .summary = "the cores of the host, OpenMP",
    .can = {.trees = true},
    .open = cpu_open,
    .describe = cpu_describe,
    .peak_bandwidth = cpu_peak_bandwidth,
    .free_memory = td_host_free_memory,
    .allocate = td_host_allocate,
    .upload = td_host_copy,
    .for_each_cell = td_cpu_for_each_cell,
    .fill = cpu_fill,
    .launch = td_cpu_launch,
    .check = td_cpu_check_cells,
    .count_other = td_cpu_count_other,
    .download = td_host_copy,
    .prepare = td_cpu_prepare,
    .flush = cpu_flush,
    .exchange_ms = td_cpu_exchange_ms,
    .sample = td_cpu_sample,
    .discard = td_cpu_discard,
    .release = td_host_release,
    .close = cpu_close,
    .coverage = td_cpu_coverage,
    .ask = td_cpu_ask,
};
