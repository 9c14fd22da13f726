/* shown_test.c - whole results in every format, byte for byte. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "engine/core/own.h"
#include "engine/core/parameter.h"
#include "record_run.h"
#include "report/build.h"
#include "report/format/table.h"
#include "shown.h"

/* Replaces the program's own, which changes with the compiler. */
const td_build_info *__wrap_td_build(void);

const td_build_info *__wrap_td_build(void)
{
    static const td_build_info build = {"1.2.3", "cc 12", "-O3", "13.0", "abcdef"};
    return &build;
}

static void loop(const td_data *data, uint32_t row, uint32_t first, uint32_t end)
{
    (void)data, (void)row, (void)first, (void)end;
}

/* ---- a document ---- */

static void add_document(td_document *d, const td_record *records, size_t count, td_text *text)
{
    static const td_table_style styles[] = {
        {0}, {.columns = 75}, {.is_markdown = true}, {.color = true}};
    const td_document_form *json = &td_document_forms[TD_FORMAT_JSON];
    json->begin(d, text);
    for (size_t i = count / 2 - 1; i < count && i < 4; i++) {
        json->runs(d, &records[i], 1, text);
        d->counts[records[i].result->status]++;
    }
    json->end(d, text);
    for (size_t s = 0; s < COUNT(styles); s++) {
        td_table_group(records, count, &styles[s], text);
    }
}

/* A group with a run of each status, and a machine of which nothing is known. */
static void add_usual(td_text *text)
{
    static sample_group g;
    td_record records[SAMPLE_RUNS];
    const td_options options = sample_options("-", TD_FORMAT_JSON);
    sample_make(&g);
    for (size_t i = 0; i < SAMPLE_RUNS; i++) {
        g.results[i].sample_count = g.results[i].sample_count > 0 ? 7 : 0;
    }
    g.environment.cpu_turbo = g.environment.ecc = -1;
    g.environment.load = g.environment.running = -1.0;
    g.results[1].verified = TD_VERIFIED_NONE;
    g.results[4].status = TD_RUN_INTERRUPTED;
    for (size_t i = 0; i < SAMPLE_RUNS; i++) {
        records[i] = record_of(&g, i);
    }
    td_document document = {.options = &options, .environment = g.environment};
    add_document(&document, records, SAMPLE_RUNS, text);
}

/* Run 0 of the sample, with something in every field. */
static void make_full(sample_group *g, td_part_result ranks[2])
{
    sample_make(g);
    td_run *run = &g->runs[0];
    td_result *result = &g->results[0];
    run->workload = td_workload_find("life", 2);
    td_parameters_preset(run->workload, run->problem.parameters);
    run->problem
        .parameters[td_workload_parameter(run->workload, "steps") - run->workload->parameters]
        .count = 10;
    run->cutoff = 64;
    run->group = 4;
    run->parts = 2;
    ranks[0] = (td_part_result){.host = "a", .cells = 10, .median_ms = 1.0};
    ranks[1] = (td_part_result){.host = "b", .cells = 30, .median_ms = 4.0};
    result->part_results = ranks;
    result->part_count = 2;
    result->exchange_ms = 0.034;
    result->mismatches = 5;
    result->max_abs_error = 0.75;
    result->kernels = 7;
    result->checked = 2079;
    result->precision = 0.02;
    result->stored_bytes = 8320;
    result->needed_bytes = 8100;
    result->launch_bytes = 10344;
    result->working_set_bytes = 9345;
    result->sampling = TD_SAMPLING_HOST;
    result->before = result->after = (td_telemetry){1500, 2600, 50, 310.2, 2, 0};
    result->energy = (td_energy){.asked = true,
                                 .windows = TD_ENERGY_WINDOWS,
                                 .launch_j = {0.3, 0.1, 0.2, 0.4, 1.6, 0.5},
                                 .launches = 100,
                                 .joules = 30.0,
                                 .seconds = 2.5};
    g->environment.peaks.fill_gb_per_s = 0.5;
    g->environment.l2_bytes = g->environment.cpu_cache_bytes = 1172;
}

/* Two runs that differ in all that may, with something in every field. */
static void add_full(td_text *text)
{
    static const td_own own = {.loop = loop};
    static sample_group g;
    static td_part_result ranks[2];
    td_setting label = {.name = "node", .text = "a, b"};
    td_options options = sample_options("-", TD_FORMAT_JSON);
    td_record records[2];
    make_full(&g, ranks);
    g.group.count = COUNT(records);
    td_run *other = &g.runs[1];
    td_result *result = &g.results[1];
    g.workload.own = &own;
    g.workload.element = TD_F32;
    other->tile = 64;
    other->width = 128;
    other->block = (td_dim3){8, 4, 2};
    other->schedule = TD_SCHEDULE_DYNAMIC;
    result->kernel = TD_KERNEL_TILE;
    result->output = (td_output_facts){.unwritten = 3, .not_finite = 2, .host_ulp = 1.0};
    snprintf(result->first_unwritten, sizeof result->first_unwritten, "row 1, column 0");
    result->energy = (td_energy){.asked = true, .reason = "not permitted"};
    g.results[0].sample_count = result->sample_count = 9;
    g.ms[0][8] = 0.9;
    td_environment *e = &g.environment;
    snprintf(e->os, sizeof e->os, "Linux");
    snprintf(e->kernel, sizeof e->kernel, "6.1");
    snprintf(e->cpu_model, sizeof e->cpu_model, "a processor");
    snprintf(e->cpu_governor, sizeof e->cpu_governor, "powersave");
    snprintf(e->cpu_isa, sizeof e->cpu_isa, "avx2");
    snprintf(e->gpu_name, sizeof e->gpu_name, "a GPU");
    snprintf(e->driver_name, sizeof e->driver_name, "580.1");
    e->has_gpu = true;
    e->load = 0.5;
    e->cpu_cores = 8;
    e->cpu_threads = 4;
    e->memory_bytes = 64000;
    e->compute_major = 9;
    e->sms = 132;
    e->gpu_memory_bytes = 150000;
    e->ecc = 1;
    e->runtime_version = 13010;
    e->peaks.copy_gb_per_s = 0.4;
    e->peaks.fill_bytes = e->peaks.copy_bytes = 4096;
    e->peaks.fp32_gop_per_s = 60.5;
    e->idle_power_w = 70.25;
    for (size_t i = 0; i < COUNT(records); i++) {
        records[i] = record_of(&g, i);
    }
    options.labels = &label;
    options.label_count = 1;
    td_document document = {.options = &options,
                            .started = {"2026-01-02T03:04:05.250Z"},
                            .finished = {"2026-01-02T03:05:05.250Z"},
                            .timing = {10.0, 1.0, 2.0, 4.0},
                            .environment = *e};
    const td_sweep shard = {g.runs, 2, &g.group, 1, {1, 3, 6, td_digest_of("s", 1)}};
    document.shard = &shard;
    add_document(&document, records, COUNT(records), text);
    result->output.host_ulp = 0.0;
    const td_document_form *jsonl = &td_document_forms[TD_FORMAT_JSONL];
    jsonl->begin(&document, text);
    jsonl->runs(&document, &records[1], 1, text);
    jsonl->end(&document, text);
    td_document_forms[TD_FORMAT_CSV].begin(&document, text);
    td_document_forms[TD_FORMAT_CSV].runs(&document, records, COUNT(records), text);
    records[0] = records[1]; /* two rows with the same notes */
    td_table_group(records, COUNT(records), &(td_table_style){0}, text);
}

TEST(results_are_as_shown)
{
    td_text text = {0};
    add_usual(&text);
    add_full(&text);
    is_as_shown(&text, "tests/data/shown/result.txt");
}
