/* trace_test.c - what groups of runs and searches ask of an engine, call by call, and what they make of its times. */
#include "test.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "engine/bench/race.h"
#include "engine/core/error.h"
#include "engine/host.h"
#include "engine/prepare/start.h"
#include "shown.h"

/* ---- an engine that notes each call, whose clock follows a script ---- */

typedef struct script {
    const char *line;
    double launch_ms;                    /* of bb; other maps take longer */
    double (*course)(uint32_t launches); /* factor by earlier launches; NULL: 1 */
    bool on_device;                      /* with memory of its own and graphs */
    const char *fails;                   /* the first call that begins like this */
} script;

static const script *now;
static td_text trace;
static char last[96];
static uint32_t repeated, launched, looks;
static bool has_failed, verifies;

struct td_prepared {
    td_execution execution;
    double launch_ms;
    uint32_t launches;
};

static void write_last(void)
{
    td_text_print(&trace, " %s", last);
    if (repeated > 1) {
        td_text_print(&trace, " x%u", repeated);
    }
    repeated = 0;
}

static td_status __attribute__((format(printf, 2, 3)))
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

static td_status noted_free_memory(td_engine *engine, uint64_t *bytes, td_error *error)
{
    (void)engine;
    *bytes = 1U << 30;
    return note(error, "free");
}

static td_status noted_allocate(td_engine *engine, uint64_t bytes, void **memory, td_error *error)
{
    TRY(note(error, "allocate %llu", (unsigned long long)bytes));
    return td_cpu_ops.allocate(engine, bytes, memory, error);
}

static void noted_release(td_engine *engine, void *memory)
{
    (void)note(NULL, "release");
    td_cpu_ops.release(engine, memory);
}

static td_status noted_upload(td_engine *engine, void *to, const void *from, uint64_t bytes,
                              td_error *error)
{
    TRY(note(error, "upload %llu", (unsigned long long)bytes));
    return td_cpu_ops.upload(engine, to, from, bytes, error);
}

static td_status noted_download(td_engine *engine, void *to, const void *from, uint64_t bytes,
                                td_error *error)
{
    TRY(note(error, "download %llu", (unsigned long long)bytes));
    return td_cpu_ops.download(engine, to, from, bytes, error);
}

static td_status noted_fill(td_engine *engine, void *memory, uint8_t byte, uint64_t bytes,
                            td_error *error)
{
    TRY(note(error, "fill %llu with %x", (unsigned long long)bytes, byte));
    return td_cpu_ops.fill(engine, memory, byte, bytes, error);
}

static td_status noted_cells(td_engine *engine, const td_workload *workload, td_cell_task task,
                             const td_data *data, td_error *error)
{
    TRY(note(error, "task %d", (int)task));
    return td_cpu_ops.for_each_cell(engine, workload, task, data, error);
}

static td_status noted_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    TRY(note(error, "launch %u steps", execution->steps));
    return td_cpu_ops.launch(engine, execution, error);
}

static td_status noted_check(td_engine *engine, const td_workload *workload, const td_data *data,
                             td_check_counts *counts, td_error *error)
{
    TRY(note(error, "check %s", workload->name));
    return td_cpu_ops.check(engine, workload, data, counts, error);
}

static td_status noted_count(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                             uint64_t *count, td_error *error)
{
    TRY(note(error, "count %llu but %x", (unsigned long long)bytes, byte));
    return td_cpu_ops.count_other(engine, memory, byte, bytes, count, error);
}

static td_status noted_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                               bool graph, td_prepared **prepared, td_error *error)
{
    (void)engine;
    const double slower = 1.0 + 0.1 * (double)(execution->strategy->name[0] - 'b');
    TRY(note(error, "prepare %u%s", batch, graph ? " as a graph" : ""));
    *prepared = calloc(1, sizeof **prepared);
    **prepared = (td_prepared){*execution, now->launch_ms * slower, batch * execution->steps};
    return TD_OK;
}

static void noted_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    (void)note(NULL, "discard");
    free(prepared);
}

static td_status noted_sample(td_engine *engine, td_prepared *prepared, double *ms, td_error *error)
{
    *ms = prepared->launch_ms * prepared->launches *
          (now->course != NULL ? now->course(launched) : 1.0);
    launched += prepared->launches;
    TRY(note(error, "%.5g ms", *ms));
    return verifies ? td_cpu_ops.launch(engine, &prepared->execution, error) : TD_OK;
}

static td_status noted_flush(td_engine *engine, td_error *error)
{
    (void)engine;
    return note(error, "flush");
}

static td_status noted_profile(td_engine *engine, bool on, td_error *error)
{
    (void)engine;
    return note(error, on ? "profile" : "profiled");
}

static td_status noted_energy(td_engine *engine, double *joules, td_error *error)
{
    (void)engine, (void)error;
    *joules = 0.5 * launched;
    return TD_OK;
}

static void noted_telemetry(td_engine *engine, td_telemetry *telemetry)
{
    (void)engine;
    (void)note(NULL, "clocks");
    telemetry->sm_mhz = ++looks;
    telemetry->throttled = looks % 3 == 0;
}

static double noted_exchange(td_engine *engine)
{
    (void)engine;
    return 0.25;
}

static void note_phase(void *context, size_t run, const char *phase)
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

bool __wrap_td_host_is_crowded(const char *proc, td_core_use *use);
bool __wrap_td_host_is_crowded(const char *proc, td_core_use *use)
{
    (void)proc, (void)use;
    (void)note(NULL, "host");
    return looks % 2 == 1;
}

/* ---- what came out ---- */

static double known(double value)
{
    return isfinite(value) ? value : 0.0;
}

static void add_result(const td_run *run, const td_result *r)
{
    const td_energy *e = &r->energy;
    td_text_print(&trace, "%s: %d %d '%s' %llu blocks, %d checked %llu wrong %llu", run->key,
                  (int)r->status, (int)r->error, r->reason, (unsigned long long)r->blocks,
                  (int)r->verified, (unsigned long long)r->checked,
                  (unsigned long long)r->mismatches);
    td_text_print(&trace, ", %u samples of %u after %u%s, %.6g ms", r->sample_count, r->batch,
                  r->warmup, r->graph ? " by graph" : "", known(r->time_ms.median));
    td_text_print(&trace, ", I %.6g over %s, %.3g wanted, clocks %g %g %d %d, crowded %d\n",
                  known(r->improvement.median), r->baseline != NULL ? r->baseline : "none",
                  r->precision, r->before.sm_mhz, r->after.sm_mhz, r->before.throttled,
                  r->after.throttled, r->crowded);
    if (e->asked) {
        td_text_print(&trace, "  %u windows, %llu launches, %g J, %g s, %g J each, '%s'\n",
                      e->windows, (unsigned long long)e->launches, e->joules, e->seconds,
                      e->launch_j[3], e->reason);
    }
}

static void play(const script *s)
{
    const td_engine_config config = {.threads = 1};
    const td_observer observer = {.phase = note_phase};
    td_engine_ops ops = td_cpu_ops;
    td_engine *engine;
    td_races races = {0};
    command c;
    now = s;
    launched = looks = 0;
    has_failed = false;
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
    ops.can.device_memory = ops.can.graphs = ops.can.persistent = s->on_device;
    ops.can.energy = true;
    td_text_print(&trace, "\n== %s\n", s->line);
    make_for(&ops, s->line, &c);
    assert_int_equal(c.status, TD_OK);
    verifies = c.options.protocol.verify;
    assert_int_equal(td_cpu_ops.open(&config, &engine, &c.error), TD_OK);
    engine->ops = &ops;
    for (size_t g = 0; g < c.sweep.group_count; g++) {
        const td_group *group = &c.sweep.groups[g];
        td_result *results = calloc(group->count, sizeof *results);
        if (c.options.tune) {
            td_race_run(engine, &c.options.protocol, group, &observer, &races, results);
        } else {
            td_group_run(engine, &c.options.protocol, group, &observer, results);
        }
        note_phase(NULL, group->count, "end");
        td_text_add(&trace, "\n");
        for (size_t r = 0; r < group->count; r++) {
            add_result(&group->runs[r], &results[r]);
            td_result_free(&results[r]);
        }
        free(results);
    }
    td_races_forget(&races);
    td_start_forget();
    td_cpu_ops.close(engine);
    done(&c);
}

/* ---- scripts ---- */

static double noise(uint32_t launches)
{
    return 1.0 + 0.003 * (launches * 7 % 11);
}

static double warming(uint32_t launches)
{
    return launches < 40 ? 1.5 - 0.01 * launches : 1.0;
}

static void groups_ask_as_shown(void **state)
{
    static const script scripts[] = {
        {"-s bb,ltm-i -w edm1 -n 40 --samples 12 --seed 3", 0.3, noise, true, NULL},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 40 --warmup 9 --max-time 0.02", 0.9, warming, false,
         NULL},
        {"-s bb -w life -n 40 --steps 9 --memory halo --samples 6 --warmup 1", 0.05, NULL, true,
         NULL},
        {"-s bb -w dummy,collision -n 20 --samples 6 --warmup 0", 2, NULL, false, NULL},
        {"-s bb-tetra -w triplet -n 9 --samples 1 --warmup 0 --verify none", 2, NULL, false, NULL},
        {"-s bb,rec -w write -n 40 --layout full --samples 3 --warmup 1 --cache cold", 0.1, NULL,
         false, NULL},
        {"-s bb -w accumulate -n 40 --timing once", 0.1, NULL, true, NULL},
        {"-s bb,dp -w edm1 -n 40 --cutoff 32 --samples 20 --timing host --precision 1%", 3, noise,
         true, NULL},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --energy --verify none", 0.25, NULL, true, NULL},
        {"-s bb -w edm1 -n 40 --samples 2 --warmup 0 --energy", 700, NULL, false, NULL},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --warmup 0", 2, NULL, false, "launch"},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --warmup 0", 2, NULL, false, "prepare 1"},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --warmup 0", 2, NULL, false, "upload"},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --warmup 0", 2, NULL, false, "check"},
        {"--tune -s bb,rb-b -w edm1 -n 6000 --block 8,16 --tile 16,32,64 --kernel loop --schedule "
         "grid,persistent "
         "--verify none",
         0.1, noise, true, NULL},
        {"--tune -s bb -w life -n 64 --block 16 --tile 16,32 --memory halo,shared,aligned --steps "
         "40 --samples 12 "
         "--verify none",
         0.02, noise, false, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(scripts); i++) {
        play(&scripts[i]);
    }
    is_as_shown(&trace, "tests/data/shown/trace.txt");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups_ask_as_shown)};
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
