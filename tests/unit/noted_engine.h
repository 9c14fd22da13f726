/* noted_engine.h - the cpu engine, which notes each call, with a clock that follows a script; for tests. */
#ifndef TD_TESTS_UNIT_NOTED_ENGINE_H
#define TD_TESTS_UNIT_NOTED_ENGINE_H

#include "test.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/cpu/row.h"
#include "engine/engine.h"
#include "engine/host.h"
#include "report/format/text.h"

typedef struct script {
    const char *line;
    double launch_ms;                    /* of bb; other maps take longer */
    double (*course)(uint32_t launches); /* factor by earlier launches; NULL: 1 */
    bool on_device;                      /* with memory of its own and graphs */
    const char *fails;                   /* the first call that begins like this */
    bool no_graphs;                      /* unlike a GPU; for known_times.h */
    bool is_steady;                      /* all maps take as long as bb */
    const char *taken_by;                /* the strategy with this course; NULL: all */
    double cold_ms;                      /* samples before the warm-up; 0: as all others */
    uint64_t free_bytes;                 /* 0: a GiB */
    const char *no_counter;              /* why energy cannot be read; NULL: it can */
    double renewed_every_j;              /* step of that counter; 0: none */
} script;

static const script *now;
static td_text trace;
static char last[96];
static uint32_t repeated, prepared_count, launched, looks;
static bool has_failed, verifies;

struct td_prepared {
    td_execution execution;
    double launch_ms;
    uint32_t launches;
};

static inline void write_last(void)
{
    td_text_print(&trace, " %s", last);
    if (repeated > 1) {
        td_text_print(&trace, " x%u", repeated);
    }
    repeated = 0;
}

static inline td_status __attribute__((format(printf, 2, 3)))
note(td_error *error, const char *format, ...)
{
    char call[sizeof last];
    va_list values;
    va_start(values, format);
    vsnprintf(call, sizeof call, format, values);
    va_end(values);
    if (strcmp(call, last) != 0 && repeated > 0) {
        write_last();
    }
    snprintf(last, sizeof last, "%s", call);
    repeated++;
    if (now->fails == NULL || has_failed || strncmp(call, now->fails, strlen(now->fails)) != 0) {
        return TD_OK;
    }
    has_failed = true;
    return td_fail(error, TD_FAILED, "no %s", call);
}

static inline td_status noted_free_memory(td_engine *engine, uint64_t *bytes, td_error *error)
{
    (void)engine;
    *bytes = now->free_bytes > 0 ? now->free_bytes : 1U << 30;
    return note(error, "free");
}

static inline td_status noted_allocate(td_engine *engine, uint64_t bytes, void **memory,
                                       td_error *error)
{
    TRY(note(error, "allocate %llu", (unsigned long long)bytes));
    return td_cpu_ops.allocate(engine, bytes, memory, error);
}

static inline void noted_release(td_engine *engine, void *memory)
{
    (void)note(NULL, "release");
    td_cpu_ops.release(engine, memory);
}

static inline td_status noted_upload(td_engine *engine, void *to, const void *from, uint64_t bytes,
                                     td_error *error)
{
    TRY(note(error, "upload %llu", (unsigned long long)bytes));
    return td_cpu_ops.upload(engine, to, from, bytes, error);
}

static inline td_status noted_download(td_engine *engine, void *to, const void *from,
                                       uint64_t bytes, td_error *error)
{
    TRY(note(error, "download %llu", (unsigned long long)bytes));
    return td_cpu_ops.download(engine, to, from, bytes, error);
}

static inline td_status noted_fill(td_engine *engine, void *memory, uint8_t byte, uint64_t bytes,
                                   td_error *error)
{
    TRY(note(error, "fill %llu %x", (unsigned long long)bytes, byte));
    return td_cpu_ops.fill(engine, memory, byte, bytes, error);
}

static inline td_status noted_cells(td_engine *engine, const td_workload *workload,
                                    td_cell_task task, const td_data *data, td_error *error)
{
    TRY(note(error, "task %d", (int)task));
    TRY(td_cpu_ops.for_each_cell(engine, workload, task, data, error));
    if (task == TD_TASK_PLAIN && workload->ulp > 0) { /* unlike the host's */
        ((uint32_t *)data->output)[0]++;
    }
    return TD_OK;
}

/* Spoils floats of a workload as from a file by an ulp: zeros to both sides, and another value. */
static inline void spoil(const td_execution *execution)
{
    const size_t bytes = td_element_bytes(execution->workload->element);
    uint8_t *const output = execution->data.output;
    uint8_t *zeros = output + td_row_start(&execution->data, 5) * bytes;
    zeros[0] = zeros[bytes] = 1;
    zeros[2 * bytes - 1] = 0x80;
    output[td_row_start(&execution->data, 6) * bytes] ^= 1;
}

static inline td_status noted_launch(td_engine *engine, const td_execution *execution,
                                     td_error *error)
{
    TRY(note(error, "launch %u", execution->steps));
    TRY(td_cpu_ops.launch(engine, execution, error));
    if (execution->workload->own != NULL && execution->workload->ulp > 0 && engine->share == NULL) {
        spoil(execution);
    }
    return TD_OK;
}

static inline td_status noted_check(td_engine *engine, const td_workload *workload,
                                    const td_data *data, td_check_counts *counts, td_error *error)
{
    TRY(note(error, "check %s", workload->name));
    return td_cpu_ops.check(engine, workload, data, counts, error);
}

static inline td_status noted_count(td_engine *engine, const void *memory, uint8_t byte,
                                    uint64_t bytes, uint64_t *count, td_error *error)
{
    TRY(note(error, "count %llu %x", (unsigned long long)bytes, byte));
    return td_cpu_ops.count_other(engine, memory, byte, bytes, count, error);
}

static inline td_status noted_prepare(td_engine *engine, const td_execution *execution,
                                      uint32_t batch, bool graph, td_prepared **prepared,
                                      td_error *error)
{
    (void)engine;
    const int later = now->is_steady ? 0 : execution->strategy->name[0] - 'b';
    TRY(note(error, "prepare %u%s", batch, graph ? " as a graph" : ""));
    *prepared = calloc(1, sizeof **prepared);
    **prepared =
        (td_prepared){*execution, now->launch_ms * (1.0 + 0.1 * later), batch * execution->steps};
    prepared_count++;
    return TD_OK;
}

static inline void noted_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    (void)note(NULL, "discard");
    free(prepared);
}

static inline td_status noted_sample(td_engine *engine, td_prepared *prepared, double *ms,
                                     td_error *error)
{
    const bool is_taken =
        now->taken_by == NULL || strcmp(prepared->execution.strategy->name, now->taken_by) == 0;
    *ms = prepared_count == 1 && now->cold_ms > 0.0
              ? now->cold_ms
              : prepared->launch_ms * prepared->launches *
                    (now->course != NULL && is_taken ? now->course(launched) : 1.0);
    launched += prepared->launches;
    TRY(note(error, "%.5g ms", *ms));
    return verifies ? td_cpu_ops.launch(engine, &prepared->execution, error) : TD_OK;
}

static inline td_status noted_flush(td_engine *engine, td_error *error)
{
    (void)engine;
    return note(error, "flush");
}

static inline td_status noted_profile(td_engine *engine, bool on, td_error *error)
{
    (void)engine;
    return note(error, on ? "profile" : "profiled");
}

static inline td_status noted_energy(td_engine *engine, double *joules, td_error *error)
{
    const double step = now->renewed_every_j;
    (void)engine;
    *joules = step > 0.0 ? step * floor(0.5 * launched / step) : 0.5 * launched;
    return now->no_counter == NULL ? TD_OK : td_fail(error, TD_FAILED, "%s", now->no_counter);
}

static inline void noted_telemetry(td_engine *engine, td_telemetry *telemetry)
{
    (void)engine;
    (void)note(NULL, "clocks");
    telemetry->sm_mhz = ++looks;
    telemetry->throttled = looks % 3 == 0;
}

static inline double noted_exchange(td_engine *engine)
{
    (void)engine;
    return 0.25;
}

static inline void note_phase(void *context, size_t run, const char *phase)
{
    (void)context;
    if (repeated > 0) {
        write_last();
    }
    if (strcmp(phase, "sample") == 0) {
        td_text_print(&trace, " [%zu]", run);
    } else {
        td_text_print(&trace, "\n%zu %s:", run, phase);
    }
}

static inline td_engine_ops noted_ops(void)
{
    td_engine_ops ops = td_cpu_ops;
    ops.free_memory = noted_free_memory;
    ops.allocate = noted_allocate;
    ops.release = noted_release;
    ops.upload = noted_upload;
    ops.download = noted_download;
    ops.fill = noted_fill;
    ops.for_each_cell = noted_cells;
    ops.launch = noted_launch;
    ops.check = noted_check;
    ops.count_other = noted_count;
    ops.prepare = noted_prepare;
    ops.discard = noted_discard;
    ops.sample = noted_sample;
    ops.flush = noted_flush;
    ops.profile = noted_profile;
    ops.energy_j = noted_energy;
    ops.telemetry = noted_telemetry;
    ops.exchange_ms = noted_exchange;
    return ops;
}

#endif
