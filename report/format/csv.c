/* csv.c - rows and their header from one walk over the columns, so that they cannot disagree. */
#include "csv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"

/* A line that is being written: of names, or of values. */
typedef struct line {
    td_text *text;
    bool names;
    size_t count;
} line;

/* Spreadsheets and parsers take a field as it is unless it holds one of these. */
static void put_field(line *l, const char *field)
{
    td_text_add(l->text, l->count++ > 0 ? "," : "");
    if (strpbrk(field, ",\"\r\n") == NULL) {
        td_text_add(l->text, field);
        return;
    }
    td_text_add(l->text, "\"");
    for (const char *at = field; *at != '\0'; at++) {
        td_text_add(l->text, *at == '"' ? "\"" : "");
        td_text_add_bytes(l->text, at, 1);
    }
    td_text_add(l->text, "\"");
}

static void put(line *l, const char *name, const char *value)
{
    put_field(l, l->names ? name : value == NULL ? "" : value);
}

static void put_u64_if(line *l, const char *name, uint64_t value, bool known)
{
    char number[TD_NUMBER_SIZE];
    snprintf(number, sizeof number, "%" PRIu64, value);
    put(l, name, known ? number : NULL);
}

static void put_u64(line *l, const char *name, uint64_t value)
{
    put_u64_if(l, name, value, true);
}

static void put_double(line *l, const char *name, double value)
{
    char number[TD_NUMBER_SIZE];
    td_number_text(value, TD_DIGITS_MEASURED, number);
    put(l, name, number);
}

static void put_double_if(line *l, const char *name, double value, bool known)
{
    if (known) {
        put_double(l, name, value);
    } else {
        put(l, name, NULL);
    }
}

static void put_maybe(line *l, const char *name, int value, bool known)
{
    put(l, name, !known || value < 0 ? NULL : value == 1 ? "true" : "false");
}

/* A column per parameter that any workload has. */
static void put_parameters(line *l, const td_run *r)
{
    static const char *const names[] = {"steps", "rule", "density", "memory", "cell", "domain"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const td_parameter *p = td_workload_parameter(r->workload, names[i]);
        char text[TD_VALUE_SIZE];
        if (p != NULL) {
            td_parameter_text(p, r->problem.parameters[p - r->workload->parameters], text);
        }
        put(l, names[i], p != NULL ? text : NULL);
    }
}

static void put_identity(line *l, const td_record *record)
{
    const td_run *r = record->run;
    put(l, "key", r->key);
    put(l, "strategy", r->strategy->name);
    put(l, "workload", r->workload->name);
    put(l, "engine", r->engine->name);
    put_u64(l, "dimension", (uint64_t)r->workload->dimension);
    put_u64(l, "n", r->problem.n);
    put_u64(l, "block_x", r->block.x);
    put_u64(l, "block_y", r->block.y);
    put_u64(l, "block_z", r->block.z);
    put_u64(l, "tile", r->tile);
    put(l, "layout", td_layout_name(r->problem.layout));
    put_u64(l, "seed", r->problem.seed);
    put(l, "schedule", td_schedule_name(r->schedule));
    put(l, "kernel", td_kernel_kind_name(record->result->kernel));
    put(l, "cache", td_cache_name(record->cache));
    put_u64_if(l, "cutoff", r->cutoff, r->cutoff > 0);
    put_parameters(l, r);
}

static void put_launch(line *l, const td_record *record)
{
    const td_result *r = record->result;
    const bool known = record->planned;
    put_u64_if(l, "kernels", r->kernels, known);
    put_u64_if(l, "blocks", r->blocks, known);
    put_u64_if(l, "blocks_needed", r->blocks_needed, known);
    put_u64_if(l, "blocks_wasted", r->blocks - r->blocks_needed, known);
    put_u64_if(l, "threads", r->threads, known);
    put_u64_if(l, "cells", r->cells, known);
}

static void put_outcome(line *l, const td_record *record)
{
    const td_result *r = record->result;
    const bool checked = r->verified != TD_VERIFIED_NONE;
    put(l, "status", td_run_status_name(r->status));
    put(l, "reason", record->reason);
    put(l, "verified", td_verified_name(r->verified));
    put_u64_if(l, "checked", r->checked, checked);
    put_u64_if(l, "mismatches", r->mismatches, checked);
    put_double_if(l, "max_abs_error", r->max_abs_error, checked);
    put(l, "result_name", r->has_finding ? record->run->workload->finding.name : NULL);
    if (r->has_finding && record->run->workload->finding.kind == TD_FINDS_REAL) {
        char number[TD_NUMBER_SIZE];
        td_number_text(r->finding.real, TD_DIGITS_ALL, number);
        put(l, "result", number);
    } else {
        put_u64_if(l, "result", r->finding.count, r->has_finding);
    }
}

static void put_time(line *l, const td_record *record)
{
    const td_summary *s = &record->time_ms;
    const td_result *r = record->result;
    put_double(l, "median_ms", s->median);
    put_double_if(l, "ci95_low_ms", s->ci95.low, s->ci95.known);
    put_double_if(l, "ci95_high_ms", s->ci95.high, s->ci95.known);
    put_double(l, "min_ms", s->min);
    put_double(l, "max_ms", s->max);
    put_double(l, "mean_ms", s->mean);
    put_double(l, "stddev_ms", s->stddev);
    put_double(l, "per_step_ms", record->per_step_ms);
    put_u64_if(l, "samples", r->sample_count, record->measured);
    put_u64_if(l, "warmup", r->warmup, record->measured);
    put_u64_if(l, "batch", r->batch, record->measured);
    put_maybe(l, "graph", r->graph, record->measured);
}

static void put_rates(line *l, const td_record *record)
{
    put_double(l, "cells_per_s", record->cells_per_s);
    put_u64_if(l, "bytes", record->result->bytes, record->planned);
    put_double(l, "gb_per_s", record->gb_per_s);
    put_double(l, "fraction_of_peak", record->fraction_of_peak);
    put_u64_if(l, "flops", record->result->flops, record->planned);
    put_double(l, "flops_per_s", record->flops_per_s);
    put_u64_if(l, "working_set_bytes", record->result->working_set_bytes, record->planned);
}

static void put_improvement(line *l, const td_record *record)
{
    const td_summary *s = &record->improvement;
    const bool known = record->baseline != NULL;
    put(l, "baseline", record->baseline);
    put_double_if(l, "improvement", s->median, known);
    put_double_if(l, "improvement_ci95_low", s->ci95.low, known && s->ci95.known);
    put_double_if(l, "improvement_ci95_high", s->ci95.high, known && s->ci95.known);
}

static void put_device(line *l, const td_record *record)
{
    const bool known = record->measured;
    put_double_if(l, "sm_mhz", record->device.sm_mhz, known);
    put_double_if(l, "memory_mhz", record->device.memory_mhz, known);
    put_double_if(l, "temperature_c", record->device.temperature_c, known);
    put_double_if(l, "power_w", record->device.power_w, known);
    put_maybe(l, "throttled", record->device.throttled, known);
    put_double(l, "energy_j", record->energy_j);
}

static void put_line(const td_record *record, bool names, td_text *text)
{
    line l = {text, names, 0};
    put_identity(&l, record);
    put_launch(&l, record);
    put_outcome(&l, record);
    put_time(&l, record);
    put_rates(&l, record);
    put_improvement(&l, record);
    put_device(&l, record);
    td_text_add(text, "\n");
}

void td_csv_header(td_text *text)
{
    /* Any record will do: only the names of its columns are written. */
    static const td_strategy strategy = {.name = ""};
    static const td_workload workload = {.name = ""};
    static const td_engine_ops engine = {.name = ""};
    static const td_run run = {.strategy = &strategy, .workload = &workload, .engine = &engine};
    static const td_result result = {0};
    const td_record record = {.run = &run, .result = &result};
    put_line(&record, true, text);
}

void td_csv_row(const td_record *record, td_text *text)
{
    put_line(record, false, text);
}
