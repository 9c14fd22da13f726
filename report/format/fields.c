/* fields.c - the table of what is recorded of a run, one field per row, and how each kind is written. */
#include "fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "engine/options/parameters.h"
#include "engine/sweep/key.h"

/* Where a value is stored. */
#define RECORD(member) .place = TD_IN_RECORD, .offset = offsetof(td_record, member)
#define RUN(member) .place = TD_IN_RUN, .offset = offsetof(td_run, member)
#define RESULT(member) .place = TD_IN_RESULT, .offset = offsetof(td_result, member)

/* A bool of the record that says whether there is a value. */
#define IF(member) .known = offsetof(td_record, member)

/* clang-format off */
const td_field td_fields[] = {
    {"",             "key",               TD_FIELD_CHARS, RUN(key)},
    {"",             "strategy",          TD_FIELD_TEXT, RECORD(strategy)},
    {"",             "workload",          TD_FIELD_TEXT, RECORD(workload)},
    {"",             "engine",            TD_FIELD_TEXT, RECORD(engine)},
    {"",             "dimension",         TD_FIELD_U32, RECORD(dimension)},
    {"",             "n",                 TD_FIELD_U32, RUN(problem.n)},
    {"",             "block",             TD_FIELD_BLOCK, RUN(block)},
    {"",             "tile",              TD_FIELD_TILE, RUN(tile)},
    {"",             "layout",            TD_FIELD_WORD, RUN(problem.layout), .names = td_layout_names},
    {"",             "seed",              TD_FIELD_U64, RUN(problem.seed)},
    {"",             "schedule",          TD_FIELD_WORD, RUN(schedule), .names = td_schedule_names},
    {"",             "kernel",            TD_FIELD_WORD, RESULT(kernel), .names = td_kernel_kind_names},
    {"",             "cache",             TD_FIELD_WORD, RECORD(cache), .names = td_cache_names},
    {"",             "cutoff",            TD_FIELD_KNOWN_U32, RUN(cutoff)},
    {"",             "parameters",        .kind = TD_FIELD_PARAMETERS},
    {"launch",       NULL,                 TD_FIELD_OBJECT, IF(planned)},
    {"launch",       "kernels",           TD_FIELD_U64, RESULT(kernels)},
    {"launch",       "blocks",            TD_FIELD_U64, RESULT(blocks)},
    {"launch",       "blocks_needed",     TD_FIELD_U64, RESULT(blocks_needed)},
    {"launch",       "blocks_wasted",     TD_FIELD_U64, RECORD(blocks_wasted)},
    {"launch",       "threads",           TD_FIELD_U64, RESULT(threads)},
    {"launch",       "cells",             TD_FIELD_U64, RESULT(cells)},
    {"",             "status",            TD_FIELD_WORD, RESULT(status), .names = td_run_status_names},
    {"",             "reason",            TD_FIELD_TEXT, RECORD(reason)},
    {"",             "started",           TD_FIELD_CHARS, RECORD(started)},
    {"verified",     "status",            TD_FIELD_WORD, RESULT(verified), .names = td_verified_names},
    {"verified",     "by",                TD_FIELD_TEXT, RECORD(verified_by)},
    {"verified",     "checked",           TD_FIELD_U64, RESULT(checked), IF(has.check)},
    {"verified",     "mismatches",        TD_FIELD_U64, RESULT(mismatches), IF(has.check)},
    {"verified",     "max_abs_error",     TD_FIELD_DOUBLE, RESULT(max_abs_error), IF(has.check)},
    {"",             "result",            .kind = TD_FIELD_FINDING},
    {"time_ms",      NULL,                 TD_FIELD_OBJECT, IF(measured)},
    {"time_ms",      "median",            TD_FIELD_DOUBLE, RECORD(time_ms.median)},
    {"time_ms",      "ci95",              TD_FIELD_INTERVAL, RECORD(time_ms.ci95)},
    {"time_ms",      "min",               TD_FIELD_DOUBLE, RECORD(time_ms.min)},
    {"time_ms",      "max",               TD_FIELD_DOUBLE, RECORD(time_ms.max)},
    {"time_ms",      "mean",              TD_FIELD_DOUBLE, RECORD(time_ms.mean)},
    {"time_ms",      "stddev",            TD_FIELD_DOUBLE, RECORD(time_ms.stddev)},
    {"",             "per_step_ms",       TD_FIELD_DOUBLE, RECORD(per_step_ms)},
    {"samples",      NULL,                 TD_FIELD_OBJECT, IF(measured)},
    {"samples",      "count",             TD_FIELD_U32, RESULT(sample_count)},
    {"samples",      "warmup",            TD_FIELD_U32, RESULT(warmup)},
    {"samples",      "batch",             TD_FIELD_U32, RESULT(batch)},
    {"samples",      "precision",         TD_FIELD_DOUBLE, RESULT(precision), IF(has.precision)},
    {"samples",      "half_width",        TD_FIELD_DOUBLE, RECORD(half_width)},
    {"samples",      "timing",            TD_FIELD_WORD, RESULT(sampling), .names = td_sampling_names},
    {"samples",      "graph",             TD_FIELD_BOOL, RESULT(graph)},
    {"samples",      "ms",                .kind = TD_FIELD_SAMPLES},
    {"throughput",   "cells_per_s",       TD_FIELD_DOUBLE, RECORD(cells_per_s)},
    {"throughput",   "bytes",             TD_FIELD_KNOWN_U64, RESULT(bytes)},
    {"throughput",   "gb_per_s",          TD_FIELD_DOUBLE, RECORD(gb_per_s)},
    {"throughput",   "fraction_of_peak",  TD_FIELD_DOUBLE, RECORD(fraction_of_peak)},
    {"throughput",   "flops",             TD_FIELD_U64, RESULT(flops), IF(has.flops)},
    {"throughput",   "flops_per_s",       TD_FIELD_DOUBLE, RECORD(flops_per_s)},
    {"roofline",     NULL,                 TD_FIELD_OBJECT, IF(has.model)},
    {"roofline",     "bytes",             TD_FIELD_U64, RECORD(roofline.bytes)},
    {"roofline",     "arithmetic",        TD_FIELD_TEXT, RECORD(roofline.arithmetic)},
    {"roofline",     "operations",        TD_FIELD_U64, RECORD(roofline.operations)},
    {"roofline",     "operations_per_byte", TD_FIELD_DOUBLE, RECORD(roofline.intensity)},
    {"roofline",     "gop_per_s",         TD_FIELD_DOUBLE, RECORD(roofline.gop_per_s)},
    {"roofline",     "ceiling",           TD_FIELD_TEXT, RECORD(roofline.ceiling)},
    {"roofline",     "bound_ms",          TD_FIELD_DOUBLE, RECORD(roofline.bound_ms)},
    {"roofline",     "fraction_of_bound", TD_FIELD_DOUBLE, RECORD(roofline.fraction)},
    {"",             "caveats",           TD_FIELD_CHARS, RECORD(caveats)},
    {"",             "working_set_bytes", TD_FIELD_U64, RESULT(working_set_bytes), IF(planned)},
    {"storage",      NULL,                 TD_FIELD_OBJECT, IF(has.storage)},
    {"storage",      "stored_bytes",      TD_FIELD_U64, RESULT(stored_bytes)},
    {"storage",      "needed_bytes",      TD_FIELD_U64, RESULT(needed_bytes)},
    {"ranks",        NULL,                 TD_FIELD_OBJECT, IF(has.parts)},
    {"ranks",        "count",             TD_FIELD_U32, RUN(parts)},
    {"ranks",        "partition",         TD_FIELD_WORD, RUN(partition), .names = td_partition_names},
    {"ranks",        "transport",         TD_FIELD_TEXT, RESULT(transport)},
    {"ranks",        "imbalance",         TD_FIELD_DOUBLE, RECORD(imbalance)},
    {"ranks",        "imbalance_time",    TD_FIELD_DOUBLE, RECORD(imbalance_time)},
    {"ranks",        "exchange_ms",       TD_FIELD_DOUBLE, RESULT(exchange_ms), IF(has.exchange)},
    {"ranks",        "each",              .kind = TD_FIELD_PARTS},
    {"improvement",  NULL,                 TD_FIELD_OBJECT, IF(has.improvement)},
    {"improvement",  "baseline",          TD_FIELD_TEXT, RECORD(baseline)},
    {"improvement",  "factor",            TD_FIELD_DOUBLE, RECORD(improvement.median)},
    {"improvement",  "ci95",              TD_FIELD_INTERVAL, RECORD(improvement.ci95)},
    {"device_state", NULL,                 TD_FIELD_OBJECT, IF(measured)},
    {"device_state", "sm_mhz",            TD_FIELD_DOUBLE, RECORD(device.sm_mhz)},
    {"device_state", "memory_mhz",        TD_FIELD_DOUBLE, RECORD(device.memory_mhz)},
    {"device_state", "temperature_c",     TD_FIELD_DOUBLE, RECORD(device.temperature_c)},
    {"device_state", "power_w",           TD_FIELD_DOUBLE, RECORD(device.power_w)},
    {"device_state", "other_processes",   TD_FIELD_DOUBLE, RECORD(device.others)},
    {"device_state", "throttled",         TD_FIELD_MAYBE, RECORD(device.throttled)},
    {"",             "energy_j",          TD_FIELD_DOUBLE, RECORD(energy_j)},
    {"energy",       NULL,                 TD_FIELD_OBJECT, IF(has.energy)},
    {"energy",       "launch_j",          TD_FIELD_DOUBLE, RECORD(launch_j.median)},
    {"energy",       "ci95",              TD_FIELD_INTERVAL, RECORD(launch_j.ci95)},
    {"energy",       "nj_per_cell",       TD_FIELD_DOUBLE, RECORD(nj_per_cell.median)},
    {"energy",       "nj_per_cell_ci95",  TD_FIELD_INTERVAL, RECORD(nj_per_cell.ci95)},
    {"energy",       "power_w",           TD_FIELD_DOUBLE, RECORD(power_w)},
    {"energy",       "launches",          TD_FIELD_U64, RESULT(energy.launches)},
    {"energy",       "seconds",           TD_FIELD_DOUBLE, RESULT(energy.seconds)},
    {"energy",       "reason",            TD_FIELD_CHARS, RESULT(energy.reason)},
};
/* clang-format on */

const size_t td_field_count = sizeof td_fields / sizeof td_fields[0];

/* ---- what only some workloads have: in JSON of the run's own workload, in CSV of all ---- */

static void put_parameter(td_writer *w, const td_parameter *parameter, const td_value *value)
{
    char text[TD_VALUE_SIZE];
    if (parameter->kind == TD_PARAMETER_COUNT) {
        td_put_u64(w, "parameters", parameter->name, value->count);
    } else if (parameter->kind == TD_PARAMETER_REAL) {
        td_put_double(w, "parameters", parameter->name, value->real);
    } else {
        td_parameter_text(parameter, *value, text);
        td_put_text(w, "parameters", parameter->name, text);
    }
}

static void put_own_parameters(td_writer *w, const td_run *run)
{
    const td_workload *workload = run->workload;
    for (size_t p = 0; p < workload->parameter_count; p++) {
        put_parameter(w, &workload->parameters[p], &run->problem.parameters[p]);
    }
    if (workload->parameter_count == 0) {
        td_put_raw(w, "", "parameters", "{}");
    }
}

static void put_all_parameters(td_writer *w, const td_run *run)
{
    const td_parameter *any;
    for (size_t i = 0; (any = td_parameter_option(i)) != NULL; i++) {
        const td_parameter *own = td_workload_parameter(run->workload, any->name);
        if (own != NULL) {
            put_parameter(w, own, &run->problem.parameters[own - run->workload->parameters]);
        } else {
            td_put_null(w, "parameters", any->name);
        }
    }
}

static void put_finding(td_writer *w, const td_finding *finding, td_value value)
{
    if (finding->kind == TD_FINDS_COUNT) {
        td_put_u64(w, "result", finding->name, value.count);
    } else {
        td_put_exact_double(w, "result", finding->name, value.real);
    }
}

static bool is_same_finding(const td_finding *a, const td_finding *b)
{
    return a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0;
}

static void put_own_finding(td_writer *w, const td_record *record)
{
    if (record->result->has_finding) {
        put_finding(w, &record->run->workload->finding, record->result->finding);
    } else {
        td_put_null(w, "", "result");
    }
}

static void put_all_findings(td_writer *w, const td_record *record)
{
    for (size_t i = 0; i < td_workload_count; i++) {
        const td_finding *finding = &td_workloads[i]->finding;
        size_t first = 0; /* workload with a finding of this name */
        while (first < i && !is_same_finding(&td_workloads[first]->finding, finding)) {
            first++;
        }
        if (finding->name == NULL || first < i) {
            continue;
        }
        if (record->result->has_finding &&
            is_same_finding(&record->run->workload->finding, finding)) {
            put_own_finding(w, record);
        } else {
            td_put_null(w, "result", finding->name);
        }
    }
}

static void put_parts(td_writer *w, const td_field *field, const td_result *result)
{
    td_text parts = {0};
    for (uint32_t r = 0; r < result->part_count; r++) {
        const td_part_result *one = &result->part_results[r];
        td_next_element(&parts);
        td_writer part = td_writer_open(&parts, TD_JSON_LINE);
        td_put_text(&part, "", "host", one->host);
        td_put_text(&part, "", "gpu", one->gpu);
        td_put_u64(&part, "", "cells", one->cells);
        td_put_double(&part, "", "median_ms", one->median_ms);
        td_writer_close(&part);
    }
    td_put_array(w, field->object, field->name, &parts);
}

/* ---- one value ---- */

static const void *value_of(const td_field *field, const td_record *record)
{
    const void *const places[] = {
        [TD_IN_RECORD] = record, [TD_IN_RUN] = record->run, [TD_IN_RESULT] = record->result};
    return (const char *)places[field->place] + field->offset;
}

static void put_interval(td_writer *w, const td_field *field, const td_interval *interval)
{
    static const char *const ends[] = {"low", "high"};
    const double values[] = {interval->known ? interval->low : NAN,
                             interval->known ? interval->high : NAN};
    td_put_elements(w, field->object, field->name, ends, values, 2);
}

static void put_block(td_writer *w, const td_field *field, const td_dim3 *block)
{
    static const char *const sides[] = {"x", "y", "z"};
    const double values[] = {block->x, block->y, block->z};
    td_put_elements(w, field->object, field->name, sides, values, 3);
}

static void put_value(td_writer *w, const td_field *field, const td_record *record)
{
    const void *const value = value_of(field, record);
    const char *object = field->object, *name = field->name;
    switch (field->kind) {
    case TD_FIELD_TEXT:
        td_put_text(w, object, name, *(const char *const *)value);
        break;
    case TD_FIELD_CHARS:
        td_put_text(w, object, name, value);
        break;
    case TD_FIELD_WORD:
        td_put_text(w, object, name, field->names[*(const unsigned *)value]);
        break;
    case TD_FIELD_TILE:
        if (record->flat_tile[0] != '\0') {
            td_put_text(w, object, name, record->flat_tile);
            break;
        }
        td_put_u64(w, object, name, *(const uint32_t *)value);
        break;
    case TD_FIELD_U32:
        td_put_u64(w, object, name, *(const uint32_t *)value);
        break;
    case TD_FIELD_U64:
        td_put_u64(w, object, name, *(const uint64_t *)value);
        break;
    case TD_FIELD_KNOWN_U32:
        td_put_known_u64(w, object, name, *(const uint32_t *)value);
        break;
    case TD_FIELD_KNOWN_U64:
        td_put_known_u64(w, object, name, *(const uint64_t *)value);
        break;
    case TD_FIELD_BOOL:
        td_put_bool(w, object, name, *(const bool *)value);
        break;
    case TD_FIELD_MAYBE:
        td_put_maybe(w, object, name, *(const int *)value);
        break;
    case TD_FIELD_BLOCK:
        put_block(w, field, value);
        break;
    case TD_FIELD_SAMPLES:
        td_put_doubles(w, object, name, record->result->sample_ms, record->result->sample_count);
        break;
    default:
        td_put_double(w, object, name, *(const double *)value);
    }
}

static void put_field(td_writer *w, const td_field *field, const td_record *record, bool known)
{
    static const td_interval unknown = {0};
    switch (field->kind) {
    case TD_FIELD_INTERVAL:
        put_interval(w, field, known ? value_of(field, record) : &unknown);
        break;
    case TD_FIELD_PARAMETERS:
        (td_writer_is_csv(w) ? put_all_parameters : put_own_parameters)(w, record->run);
        break;
    case TD_FIELD_FINDING:
        (td_writer_is_csv(w) ? put_all_findings : put_own_finding)(w, record);
        break;
    case TD_FIELD_PARTS:
        if (!td_writer_is_csv(w)) {
            put_parts(w, field, record->result);
        }
        break;
    default:
        if (known) {
            put_value(w, field, record);
        } else {
            td_put_null(w, field->object, field->name);
        }
    }
}

void td_put_fields(td_writer *w, const td_record *record)
{
    const td_field *absent = NULL; /* the row of an object that is null */
    for (const td_field *field = td_fields; field < td_fields + td_field_count; field++) {
        const bool known =
            field->known == 0 || *(const bool *)((const char *)record + field->known);
        const bool in_absent = absent != NULL && strcmp(absent->object, field->object) == 0;
        if (field->kind != TD_FIELD_OBJECT && (td_writer_is_csv(w) || !in_absent)) {
            put_field(w, field, record, known && !in_absent);
        } else if (field->kind == TD_FIELD_OBJECT) {
            absent = known ? NULL : field;
            if (!known && !td_writer_is_csv(w)) {
                td_put_null(w, "", field->object);
            }
        }
    }
}

void td_put_field_names(td_writer *w)
{
    static const td_workload workload = {0};
    static const td_run run = {.workload = &workload};
    static const td_result result = {0};
    td_put_fields(w, &(td_record){.run = &run, .result = &result});
}
