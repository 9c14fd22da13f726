/* trace_test.c - what groups of runs and searches ask of an engine, call by call, and what they make of its times. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "engine/bench/race.h"
#include "engine/prepare/start.h"
#include "noted_engine.h"
#include "shown.h"
#include "workloads/layout.h"
#include "workloads/layout3.h"
#include "workloads/place.h"

/* ---- workloads as from files: they leave a cell out, and have a value that is no number ---- */

static void td_gap_cell(const td_data *data, uint32_t row, uint32_t col)
{
    if (row != 3 || col > 1) {
        const float *const input = data->input;
        *(float *)td_cell_4(data, row, col) = row == 9   ? NAN
                                              : row == 5 ? 0.0F
                                                         : input[row] + (float)col;
    }
}

static void td_wide_cell(const td_data *data, uint32_t row, uint32_t col)
{
    ((double *)data->output)[td_row_start(data, row) + col] =
        row == 5 ? 0.0 : -1.0 / (row + col + 1);
}

static void td_gap3_cell(const td_data *data, uint32_t x, uint32_t y, uint32_t z)
{
    if (z != 4 || y != 1) {
        *(int32_t *)td_cell3_4(data, x, y, z) = (int32_t)(x + 2 * y + 3 * z);
    }
}

TD_DESCRIPTOR td_workload td_gap_workload = {.name = "gap", .element = TD_F32, .ulp = 2};
TD_DESCRIPTOR td_workload td_wide_workload = {.name = "wide", .element = TD_F64, .ulp = 2};
TD_DESCRIPTOR td_workload td_gap3_workload = {.name = "gap3", .element = TD_I32};

#include "engine/cpu/kernels/own_unit.h"
TD_OWN_2D(gap, NULL)
TD_OWN_2D(wide, NULL)
TD_OWN_3D(gap3, NULL)

static void add_own(const td_own_unit *unit)
{
    static struct {
        td_workload workload;
        td_own own;
    } kept[3];
    static size_t count;
    const size_t i = count++;
    kept[i].own = (td_own){.cells = unit->cells, .checks = &unit->checks, .loop = unit->loop};
    kept[i].workload = *unit->workload;
    kept[i].workload.own = &kept[i].own;
    kept[i].workload.input = unit->dimension == 2 ? td_workload_find("edm1", 2)->input : NULL;
    kept[i].workload.summary = "";
    kept[i].workload.dimension = unit->dimension;
    kept[i].workload.traits.has_layouts = true;
    assert_true(td_workload_add(&kept[i].workload));
}

/* ---- a host that is crowded from time to time ---- */

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
    td_text_print(&trace, ", found %llu, %llu + %llu bytes, %llu operations, %llu passes",
                  (unsigned long long)r->finding.count, (unsigned long long)r->bytes,
                  (unsigned long long)r->launch_bytes, (unsigned long long)(r->flops + r->int_ops),
                  (unsigned long long)r->passes);
    td_text_print(&trace, ", %u samples of %u after %u%s, %.6g ms", r->sample_count, r->batch,
                  r->warmup, r->graph ? " by graph" : "", known(r->time_ms.median));
    td_text_print(&trace, ", I %.6g over %s, %.3g wanted, clocks %g %g %d %d, crowded %d\n",
                  known(r->improvement.median), r->baseline != NULL ? r->baseline : "none",
                  r->precision, r->before.sm_mhz, r->after.sm_mhz, r->before.throttled,
                  r->after.throttled, r->crowded);
    if (run->workload->own != NULL) {
        td_text_print(&trace, "  %llu unwritten from '%s', %llu not finite, host %g, error %g\n",
                      (unsigned long long)r->output.unwritten, r->first_unwritten,
                      (unsigned long long)r->output.not_finite, r->output.host_ulp,
                      known(r->max_abs_error));
    }
    if (e->asked) {
        td_text_print(&trace, "  %u windows, %llu launches, %g J, %g s, %g J each, '%s'\n",
                      e->windows, (unsigned long long)e->launches, e->joules, e->seconds,
                      e->launch_j[3], e->reason);
    }
}

/* parts: the domain is cut into so many, and this process has the second; 0: it is not. */
static void play(const script *s, uint32_t parts)
{
    const td_engine_config config = {.threads = 1};
    const td_observer observer = {.phase = note_phase};
    td_engine_ops ops = noted_ops();
    td_engine *engine;
    td_races races = {0};
    command c;
    now = s;
    launched = looks = 0;
    has_failed = false;
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
        for (size_t r = 0; r < group->count; r++) {
            group->runs[r].parts = parts;
            group->runs[r].part = 1;
            results[r].status = group->runs[r].skip[0] != '\0' ? TD_RUN_SKIPPED : TD_RUN_OK;
        }
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

TEST(groups_ask_as_shown)
{
    static const script scripts[] = {
        {"-s bb,ltm-i -w edm1 -n 40 --samples 12 --seed 3", 0.3, noise, .on_device = true},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 40 --warmup 9 --max-time 0.02", 0.9, warming,
         .on_device = false},
        {"-s bb -w life -n 40 --steps 9 --memory halo --samples 6 --warmup 1", 0.05, NULL,
         .on_device = true},
        {"-s bb -w dummy,collision -n 20 --samples 6 --warmup 0", 2, NULL, .on_device = false},
        {"-s bb-tetra -w triplet -n 9 --samples 1 --warmup 0 --verify none", 2, NULL,
         .on_device = false},
        {"-s bb,rec -w write -n 40 --layout full --samples 3 --warmup 1 --cache cold", 0.1, NULL,
         .on_device = false},
        {"-s bb -w accumulate -n 40 --timing once", 0.1, NULL, .on_device = true},
        {"-s bb,dp -w edm1 -n 40 --cutoff 32 --samples 20 --timing host --precision 1%", 3, noise,
         .on_device = true},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --energy --verify none", 0.25, NULL,
         .on_device = true},
        {"-s bb -w edm1 -n 40 --samples 2 --warmup 0 --energy", 700, NULL, .on_device = false},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --warmup 0", 2, NULL, false, .fails = "launch"},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --warmup 0", 2, NULL, false, .fails = "prepare 1"},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --warmup 0", 2, NULL, false, .fails = "upload"},
        {"-s bb,ltm-i -w edm1 -n 40 --samples 2 --warmup 0", 2, NULL, false, .fails = "check"},
        {"-s bb -w gap -n 70 --samples 1 --warmup 0", 2, NULL, .on_device = true},
        {"-s ltm-i -w gap -n 33 --layout full --samples 1 --warmup 0 --baseline none", 2, NULL,
         .on_device = true},
        {"-s bb -w wide -n 33 --samples 1 --warmup 0", 2, NULL, .on_device = true},
        {"-s bb-tetra -w gap3 -n 9 --samples 1 --warmup 0", 2, NULL, .on_device = true},
        {"-s bb-tetra -w gap3 -n 9 --layout packed --samples 1 --warmup 0", 2, NULL,
         .on_device = true},
        {"-s bb -w life -n 33 --steps 4 --memory aligned,strip --cell u8,bit --samples 1 --warmup "
         "0",
         2, NULL, .on_device = true},
        {"-s bb -w water,dog,extrema -n 20 --steps 2 --memory halo,aligned --samples 1 --warmup 0",
         2, NULL, .on_device = true},
        {"-s bb -w life -n 20 --steps 2 --set domain=square --memory halo,rect --samples 1 "
         "--warmup 0",
         2, NULL, .on_device = true},
        {"-s bb-tetra -w life -n 20 --steps 2 --memory all --samples 1 --warmup 0", 2, NULL,
         .on_device = true},
        {"--tune -s bb,rb-b -w edm1 -n 6000 --block 8,16 --tile 32,64 --kernel loop --schedule "
         "grid,persistent "
         "--samples 12 --precision 0.5% --verify none",
         0.1, noise, .on_device = true},
        {"--tune -s bb -w life -n 64 --block 16 --tile 16,32 --memory halo,shared --steps 40 "
         "--samples 6 --verify none",
         0.02, noise, .on_device = false},
    };
    add_own(&td_own_unit_gap);
    add_own(&td_own_unit_wide);
    add_own(&td_own_unit_gap3);
    for (size_t i = 0; i < COUNT(scripts); i++) {
        play(&scripts[i], 0);
    }
    play(&(script){"-s ltm-i -w edm1,gap,wide -n 70 --samples 1 --warmup 0 --baseline none", 2,
                   NULL, .on_device = true},
         3);
    is_as_shown(&trace, "tests/data/shown/trace.txt");
}
