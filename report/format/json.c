/* json.c - runs and the facts around them, as a document and as lines. */
#include "json.h"

#include <math.h>
#include <stdio.h>

#include "engine/core/parameter.h"
#include "report/build.h"
#include "fields.h"
#include "json_value.h"

/* ---- a run: the same keys whatever happened, null where there is nothing ---- */

static void add_value(td_json_object object, const char *name, td_field_value value)
{
    switch (value.type) {
    case TD_VALUE_NULL:
        td_json_add_null(object, name);
        break;
    case TD_VALUE_TEXT:
        td_json_add_text(object, name, value.text);
        break;
    case TD_VALUE_COUNT:
        td_json_add_u64(object, name, value.count);
        break;
    case TD_VALUE_REAL:
        td_json_add_double(object, name, value.real, TD_DIGITS_MEASURED);
        break;
    case TD_VALUE_FLAG:
        td_json_add_bool(object, name, value.flag);
        break;
    }
}

/* Add this row and the next ones as an array; null if the first one is null. */
static void add_elements(td_json_object object, const td_field *field, const td_record *record)
{
    double values[4];
    for (size_t i = 0; i < field->elements; i++) {
        const td_field_value value = td_field_read(&field[i], record);
        values[i] = value.type == TD_VALUE_COUNT ? (double)value.count : value.real;
    }
    if (td_field_read(field, record).type == TD_VALUE_NULL) {
        td_json_add_null(object, field->member);
    } else {
        td_json_add_doubles(object, field->member, values, field->elements);
    }
}

static void add_parameters(td_json_object run, const char *name, const td_run *r)
{
    const td_json_object parameters = td_json_add_object(run, name);
    for (size_t p = 0; p < r->workload->parameter_count; p++) {
        const td_parameter *parameter = &r->workload->parameters[p];
        const td_value value = r->problem.parameters[p];
        char text[TD_VALUE_SIZE];
        if (parameter->kind == TD_PARAMETER_COUNT) {
            td_json_add_u64(parameters, parameter->name, value.count);
        } else if (parameter->kind == TD_PARAMETER_REAL) {
            td_json_add_double(parameters, parameter->name, value.real, TD_DIGITS_MEASURED);
        } else {
            td_parameter_text(parameter, value, text);
            td_json_add_text(parameters, parameter->name, text);
        }
    }
}

static void add_finding(td_json_object run, const char *name, const td_record *record)
{
    const td_result *r = record->result;
    const td_finding *finding = &record->run->workload->finding;
    if (!r->has_finding) {
        td_json_add_null(run, name);
        return;
    }
    const td_json_object result = td_json_add_object(run, name);
    if (finding->kind == TD_FINDS_COUNT) {
        td_json_add_u64(result, finding->name, r->finding.count);
    } else {
        td_json_add_double(result, finding->name, r->finding.real, TD_DIGITS_ALL);
    }
}

static void add_parts(td_json_object parts, const char *name, const td_result *result)
{
    const td_json_object each = td_json_add_array(parts, name);
    for (uint32_t r = 0; r < result->part_count; r++) {
        const td_part_result *one = &result->part_results[r];
        const td_json_object part = td_json_append_object(each);
        td_json_add_text(part, "host", one->host);
        td_json_add_text(part, "gpu", one->gpu);
        td_json_add_u64(part, "cells", one->cells);
        td_json_add_double(part, "median_ms", one->median_ms, TD_DIGITS_MEASURED);
    }
}

static void add_field(td_json_object object, const td_field *field, const td_record *record)
{
    const td_result *result = record->result;
    if (field->elements > 0) {
        add_elements(object, field, record);
    } else if (field->kind == TD_FIELD_PARAMETERS) {
        add_parameters(object, field->member, record->run);
    } else if (field->kind == TD_FIELD_FINDING) {
        add_finding(object, field->member, record);
    } else if (field->kind == TD_FIELD_PARTS) {
        add_parts(object, field->member, result);
    } else if (field->kind == TD_FIELD_SAMPLES) {
        td_json_add_doubles(object, field->member, result->sample_ms, result->sample_count);
    } else {
        add_value(object, field->member, td_field_read(field, record));
    }
}

static void add_fields(td_json_object run, const td_record *record)
{
    const td_field_object *last = NULL;
    td_json_object object = run;
    for (const td_field *field = td_fields; field < td_fields + td_field_count; field++) {
        const bool exists = td_field_has_object(field, record);
        if (field->object != NULL && field->object != last && exists) {
            object = td_json_add_object(run, field->object->name);
        } else if (field->object != NULL && field->object != last) {
            td_json_add_null(run, field->object->name);
        }
        last = field->object;
        if (field->member != NULL && exists) {
            add_field(field->object != NULL ? object : run, field, record);
        }
    }
}

void td_json_run(const td_record *record, bool is_line, td_text *text)
{
    bool failed = false;
    const td_json_object run = td_json_new(&failed);
    if (is_line) {
        td_json_add_text(run, "type", "run");
    }
    add_fields(run, record);
    td_json_finish(run, text);
}

/* ---- the machine, the device and the build ---- */

/* value: 1, 0, or negative if it is not known. */
static void add_maybe(td_json_object object, const char *name, int value)
{
    add_value(object, name,
              (td_field_value){.type = value >= 0 ? TD_VALUE_FLAG : TD_VALUE_NULL, .flag = value});
}

static void add_host(td_json_object environment, const td_environment *e)
{
    const td_json_object host = td_json_add_object(environment, "host");
    td_json_add_text(host, "name", e->host);
    td_json_add_text(host, "os", e->os);
    td_json_add_text(host, "kernel", e->kernel);
    td_json_add_double(host, "load", e->load >= 0 ? e->load : NAN, TD_DIGITS_MEASURED);
    td_json_add_double(host, "running", e->running >= 0 ? e->running : NAN, TD_DIGITS_MEASURED);
    const td_json_object cpu = td_json_add_object(environment, "cpu");
    td_json_add_text(cpu, "model", e->cpu_model);
    td_json_add_known_u64(cpu, "cores", e->cpu_cores);
    td_json_add_known_u64(cpu, "threads", e->cpu_threads);
    td_json_add_text(cpu, "isa", e->cpu_isa);
    td_json_add_known_u64(cpu, "memory_bytes", e->memory_bytes);
    td_json_add_known_u64(cpu, "cache_bytes", e->cpu_cache_bytes);
    td_json_add_text(cpu, "governor", e->cpu_governor);
    add_maybe(cpu, "turbo", e->cpu_turbo);
}

/* "13.0" for CUDA's 13000; null for 0. */
static void add_cuda_version(td_json_object object, const char *name, int version)
{
    char text[32] = "";
    if (version > 0) {
        snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    }
    td_json_add_text(object, name, text);
}

static void add_gpu(td_json_object environment, const td_environment *e)
{
    if (!e->has_gpu) {
        td_json_add_null(environment, "gpu");
        return;
    }
    char capability[32];
    snprintf(capability, sizeof capability, "%d.%d", e->compute_major, e->compute_minor);
    const td_json_object gpu = td_json_add_object(environment, "gpu");
    td_json_add_text(gpu, "name", e->gpu_name);
    td_json_add_text(gpu, "uuid", e->gpu_uuid);
    td_json_add_text(gpu, "pci_id", e->gpu_pci_id);
    td_json_add_text(gpu, "compute_capability", capability);
    td_json_add_known_u64(gpu, "sms", e->sms);
    td_json_add_known_u64(gpu, "memory_bytes", e->gpu_memory_bytes);
    td_json_add_known_u64(gpu, "l2_bytes", e->l2_bytes);
    add_maybe(gpu, "ecc", e->ecc);
    td_json_add_text(gpu, "driver", e->driver_name);
    add_cuda_version(gpu, "runtime", e->runtime_version);
}

/* A value that was not measured is 0 or negative. */
static void add_measured(td_json_object object, const char *name, double value)
{
    td_json_add_double(object, name, value > 0 ? value : NAN, TD_DIGITS_MEASURED);
}

static void add_build(td_json_object environment)
{
    const td_json_object build = td_json_add_object(environment, "build");
    td_json_add_text(build, "compiler", td_build()->compiler);
    td_json_add_text(build, "flags", td_build()->flags);
    td_json_add_text(build, "cuda", td_build()->cuda);
    td_json_add_text(build, "git_commit", td_build()->commit);
}

/* Only what is listed here: never the process environment. */
static void add_environment(td_json_object object, const td_environment *e)
{
    char device[TD_DEVICE_SIZE];
    const td_json_object environment = td_json_add_object(object, "environment");
    add_host(environment, e);
    add_gpu(environment, e);
    td_device_of(e, device);
    td_json_add_text(environment, "device", device);
    const td_json_object peak = td_json_add_object(environment, "peak_bandwidth");
    add_measured(peak, "fill_gb_per_s", e->peaks.fill_gb_per_s);
    add_measured(peak, "copy_gb_per_s", e->peaks.copy_gb_per_s);
    td_json_add_known_u64(peak, "fill_bytes", (uint64_t)e->peaks.fill_bytes);
    td_json_add_known_u64(peak, "copy_bytes", (uint64_t)e->peaks.copy_bytes);
    const td_json_object arithmetic = td_json_add_object(environment, "peak_arithmetic");
    add_measured(arithmetic, "fp32_gop_per_s", e->peaks.fp32_gop_per_s);
    add_measured(arithmetic, "fp64_gop_per_s", e->peaks.fp64_gop_per_s);
    add_measured(arithmetic, "int32_gop_per_s", e->peaks.int32_gop_per_s);
    add_measured(environment, "idle_power_w", e->idle_power_w);
    add_build(environment);
}

/* ---- documents ---- */

/* Device work, by kind, next to the total: the time outside of it is the cost of the tool itself. */
static void add_timing(td_json_object object, const td_timing *t)
{
    const double device_s = t->verify_s + t->warm_up_s + t->sample_s;
    const td_json_object timing = td_json_add_object(object, "timing");
    td_json_add_double(timing, "wall_s", t->wall_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "device_s", device_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "verify_s", t->verify_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "warm_up_s", t->warm_up_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "sample_s", t->sample_s, TD_DIGITS_MEASURED);
    td_json_add_double(timing, "outside_s", fmax(t->wall_s - device_s, 0.0), TD_DIGITS_MEASURED);
}

/* List the runs by key, so that a merge of the shards can say which are missing. */
static void add_shard(td_json_object object, const td_sweep *sweep)
{
    char digest[TD_DIGEST_SIZE];
    if (sweep == NULL) {
        td_json_add_null(object, "shard");
        return;
    }
    td_digest_text(sweep->shard.digest, digest);
    const td_json_object shard = td_json_add_object(object, "shard");
    td_json_add_u64(shard, "index", sweep->shard.index);
    td_json_add_u64(shard, "count", sweep->shard.count);
    td_json_add_text(shard, "sweep", digest);
    td_json_add_u64(shard, "sweep_runs", sweep->shard.runs);
    const td_json_object runs = td_json_add_array(shard, "runs");
    for (size_t r = 0; r < sweep->run_count; r++) {
        td_json_append_text(runs, sweep->runs[r].key);
    }
}

static void add_head(td_json_object object, const td_json_head *head, bool with_shard)
{
    const td_json_object schema = td_json_add_object(object, "schema");
    td_json_add_text(schema, "name", "tribench");
    td_json_add_u64(schema, "major", TD_SCHEMA_MAJOR);
    td_json_add_u64(schema, "minor", TD_SCHEMA_MINOR);
    const td_json_object tool = td_json_add_object(object, "tool");
    td_json_add_text(tool, "name", "tribench");
    td_json_add_text(tool, "version", td_build()->version);
    td_json_add_text(tool, "git_commit", td_build()->commit);
    const td_json_object command = td_json_add_array(object, "command");
    for (int i = 0; i < head->options->argc; i++) {
        td_json_append_text(command, head->options->argv[i]);
    }
    const td_json_object labels = td_json_add_object(object, "labels");
    for (size_t i = 0; i < head->options->label_count; i++) {
        td_json_add_text(labels, head->options->labels[i].name, head->options->labels[i].text);
    }
    if (with_shard) {
        add_shard(object, head->shard);
    }
    td_json_add_text(object, "started", head->started);
    add_environment(object, head->environment);
}

void td_json_header(const td_json_head *head, td_text *text)
{
    bool failed = false;
    const td_json_object line = td_json_new(&failed);
    td_json_add_text(line, "type", "header");
    add_head(line, head, true);
    td_json_finish(line, text);
    td_text_add(text, "\n");
}

td_json_object td_json_around(const td_json_head *head, bool *failed)
{
    const td_json_object object = td_json_new(failed);
    add_head(object, head, false);
    return object;
}

void td_json_footer(const td_json_head *head, const uint64_t counts[TD_RUN_STATUS_COUNT],
                    td_text *text)
{
    bool failed = false;
    const td_json_object line = td_json_new(&failed);
    td_json_add_text(line, "type", "footer");
    td_json_add_text(line, "finished", head->finished);
    add_timing(line, head->timing);
    uint64_t runs = 0;
    for (int s = 0; s < TD_RUN_STATUS_COUNT; s++) {
        runs += counts[s];
    }
    td_json_add_u64(line, "runs", runs);
    const td_json_object by_status = td_json_add_object(line, "status_counts");
    for (int s = 0; s < TD_RUN_STATUS_COUNT; s++) {
        td_json_add_u64(by_status, td_run_status_names[s], counts[s]);
    }
    td_json_finish(line, text);
    td_text_add(text, "\n");
}

/* One member or run per line, so that a diff of two results, or grep, still works. */
void td_json_begin(const td_json_head *head, td_text *text)
{
    bool failed = false;
    const td_json_object object = td_json_new(&failed);
    add_head(object, head, true);
    td_json_finish_open(object, text);
    td_text_add(text, " \"runs\": [");
}

void td_json_end(const td_json_head *head, bool has_runs, td_text *text)
{
    bool failed = false;
    td_text last = {0};
    const td_json_object object = td_json_new(&failed);
    td_json_add_text(object, "finished", head->finished);
    add_timing(object, head->timing);
    td_json_finish_open(object, &last);
    td_text_add(text, has_runs ? "\n ],\n " : "],\n ");
    if (!last.failed) { /* without its brace, which is at the beginning, and the comma at its end */
        td_text_add_bytes(text, last.data + 1, last.size - 3);
    }
    td_text_add(text, "}\n");
    text->failed = text->failed || last.failed;
    td_text_free(&last);
}
