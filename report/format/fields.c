/* fields.c - the table of what is recorded of a run, one field per row. */
#include "fields.h"

#include <math.h>
#include <stddef.h>

#include "engine/sweep/key.h"

/* ---- the table ---- */

/* A bool of the record that says whether there is a value. */
#define IF(member) offsetof(td_record, member)
#define BOUNDED(summary) IF(summary.ci95.known)

static const td_field_object launch = {"launch", IF(planned)};
static const td_field_object ranks = {"ranks", IF(has.parts)};
static const td_field_object verified = {"verified", 0};
static const td_field_object time_ms = {"time_ms", IF(measured)};
static const td_field_object samples = {"samples", IF(measured)};
static const td_field_object throughput = {"throughput", 0};
static const td_field_object storage = {"storage", IF(has.storage)};
static const td_field_object roofline = {"roofline", IF(has.model)};
static const td_field_object improvement = {"improvement", IF(has.improvement)};
static const td_field_object energy = {"energy", IF(has.energy)};
static const td_field_object device_state = {"device_state", IF(measured)};

/* Where a value is stored. */
#define RECORD(kind, member) TD_FIELD_##kind, TD_IN_RECORD, offsetof(td_record, member), 0, NULL
#define RUN(kind, member) TD_FIELD_##kind, TD_IN_RUN, offsetof(td_run, member), 0, NULL
#define RESULT(kind, member) TD_FIELD_##kind, TD_IN_RESULT, offsetof(td_result, member), 0, NULL
/* An enumeration, in words. */
#define RECORD_WORD(member, names)                                                                 \
    TD_FIELD_WORD, TD_IN_RECORD, offsetof(td_record, member), 0, names
#define RUN_WORD(member, names) TD_FIELD_WORD, TD_IN_RUN, offsetof(td_run, member), 0, names
#define RESULT_WORD(member, names)                                                                 \
    TD_FIELD_WORD, TD_IN_RESULT, offsetof(td_result, member), 0, names
/* The first number of an array; the next rows hold the others. */
#define SIDES(member) TD_FIELD_U32, TD_IN_RUN, offsetof(td_run, member), 3, NULL
#define BOUNDS(member) TD_FIELD_DOUBLE, TD_IN_RECORD, offsetof(td_record, member), 2, NULL
/* The writers handle these kinds themselves. */
#define SPECIAL(kind) TD_FIELD_##kind, TD_IN_RECORD, 0, 0, NULL

/* clang-format off */
const td_field td_fields[] = {
    /* object        member                 column, known, value */
    {NULL,           "key",                 "key", 0, RUN(CHARS, key)},
    {NULL,           "strategy",            "strategy", 0, RECORD(TEXT, strategy)},
    {NULL,           "workload",            "workload", 0, RECORD(TEXT, workload)},
    {NULL,           "engine",              "engine", 0, RECORD(TEXT, engine)},
    {NULL,           "dimension",           "dimension", 0, RECORD(U32, dimension)},
    {NULL,           "n",                   "n", 0, RUN(U32, problem.n)},
    {NULL,           "block",               "block.x", 0, SIDES(block.x)},
    {NULL,           NULL,                  "block.y", 0, RUN(U32, block.y)},
    {NULL,           NULL,                  "block.z", 0, RUN(U32, block.z)},
    {NULL,           "tile",                "tile", 0, RUN(TILE, tile)},
    {NULL,           "layout",              "layout", 0, RUN_WORD(problem.layout, td_layout_names)},
    {NULL,           "seed",                "seed", 0, RUN(U64, problem.seed)},
    {NULL,           "schedule",            "schedule", 0, RUN_WORD(schedule, td_schedule_names)},
    {NULL,           "kernel",              "kernel", 0, RESULT_WORD(kernel, td_kernel_kind_names)},
    {NULL,           "cache",               "cache", 0, RECORD_WORD(cache, td_cache_names)},
    {NULL,           "cutoff",              "cutoff", IF(has.cutoff), RUN(U32, cutoff)},
    {NULL,           "parameters",          NULL, 0, SPECIAL(PARAMETERS)},
    {&launch,        "kernels",             "launch.kernels", 0, RESULT(U64, kernels)},
    {&launch,        "blocks",              "launch.blocks", 0, RESULT(U64, blocks)},
    {&launch,        "blocks_needed",       "launch.blocks_needed", 0, RESULT(U64, blocks_needed)},
    {&launch,        "blocks_wasted",       "launch.blocks_wasted", 0, RECORD(U64, blocks_wasted)},
    {&launch,        "threads",             "launch.threads", 0, RESULT(U64, threads)},
    {&launch,        "cells",               "launch.cells", 0, RESULT(U64, cells)},
    {NULL,           "status",              "status", 0, RESULT_WORD(status, td_run_status_names)},
    {NULL,           "reason",              "reason", 0, RECORD(TEXT, reason)},
    {NULL,           "started",             "started", 0, RECORD(CHARS, started)},
    {&verified,      "status",              "verified.status", 0, RESULT_WORD(verified, td_verified_names)},
    {&verified,      "by",                  "verified.by", 0, RECORD(TEXT, verified_by)},
    {&verified,      "checked",             "verified.checked", IF(has.check), RESULT(U64, checked)},
    {&verified,      "mismatches",          "verified.mismatches", IF(has.check), RESULT(U64, mismatches)},
    {&verified,      "max_abs_error",       "verified.max_abs_error", IF(has.check), RESULT(DOUBLE, max_abs_error)},
    {NULL,           "result",              NULL, 0, SPECIAL(FINDING)},
    {&time_ms,       "median",              "time_ms.median", 0, RECORD(DOUBLE, time_ms.median)},
    {&time_ms,       "ci95",                "time_ms.ci95.low", BOUNDED(time_ms), BOUNDS(time_ms.ci95.low)},
    {&time_ms,       NULL, "time_ms.ci95.high", BOUNDED(time_ms), RECORD(DOUBLE, time_ms.ci95.high)},
    {&time_ms,       "min",                 "time_ms.min", 0, RECORD(DOUBLE, time_ms.min)},
    {&time_ms,       "max",                 "time_ms.max", 0, RECORD(DOUBLE, time_ms.max)},
    {&time_ms,       "mean",                "time_ms.mean", 0, RECORD(DOUBLE, time_ms.mean)},
    {&time_ms,       "stddev",              "time_ms.stddev", 0, RECORD(DOUBLE, time_ms.stddev)},
    {NULL,           "per_step_ms",         "per_step_ms", 0, RECORD(DOUBLE, per_step_ms)},
    {&samples,       "count",               "samples.count", 0, RESULT(U32, sample_count)},
    {&samples,       "warmup",              "samples.warmup", 0, RESULT(U32, warmup)},
    {&samples,       "batch",               "samples.batch", 0, RESULT(U32, batch)},
    {&samples,       "precision",           "samples.precision", IF(has.precision), RESULT(DOUBLE, precision)},
    {&samples,       "half_width",          "samples.half_width", 0, RECORD(DOUBLE, half_width)},
    {&samples,       "timing",              "samples.timing", 0, RESULT_WORD(sampling, td_sampling_names)},
    {&samples,       "graph",               "samples.graph", 0, RESULT(BOOL, graph)},
    {&samples,       "ms",                  "samples.ms", 0, SPECIAL(SAMPLES)},
    {&throughput,    "cells_per_s",         "throughput.cells_per_s", 0, RECORD(DOUBLE, cells_per_s)},
    {&throughput,    "bytes",               "throughput.bytes", IF(has.bytes), RESULT(U64, bytes)},
    {&throughput,    "gb_per_s",            "throughput.gb_per_s", 0, RECORD(DOUBLE, gb_per_s)},
    {&throughput,    "fraction_of_peak",    "throughput.fraction_of_peak", 0, RECORD(DOUBLE, fraction_of_peak)},
    {&throughput,    "flops",               "throughput.flops", IF(has.flops), RESULT(U64, flops)},
    {&throughput,    "flops_per_s",         "throughput.flops_per_s", 0, RECORD(DOUBLE, flops_per_s)},
    {&roofline,      "bytes",               "roofline.bytes", 0, RECORD(U64, roofline.bytes)},
    {&roofline,      "arithmetic",          "roofline.arithmetic", 0, RECORD(TEXT, roofline.arithmetic)},
    {&roofline,      "operations",          "roofline.operations", 0, RECORD(U64, roofline.operations)},
    {&roofline,      "operations_per_byte", "roofline.operations_per_byte", 0, RECORD(DOUBLE, roofline.intensity)},
    {&roofline,      "gop_per_s",           "roofline.gop_per_s", 0, RECORD(DOUBLE, roofline.gop_per_s)},
    {&roofline,      "ceiling",             "roofline.ceiling", 0, RECORD(TEXT, roofline.ceiling)},
    {&roofline,      "bound_ms",            "roofline.bound_ms", 0, RECORD(DOUBLE, roofline.bound_ms)},
    {&roofline,      "fraction_of_bound",   "roofline.fraction_of_bound", 0, RECORD(DOUBLE, roofline.fraction)},
    {NULL,           "caveats",             "caveats", 0, RECORD(CHARS, caveats)},
    {NULL,           "working_set_bytes",   "working_set_bytes", IF(planned), RESULT(U64, working_set_bytes)},
    {&storage,       "stored_bytes",        "storage.stored_bytes", 0, RESULT(U64, stored_bytes)},
    {&storage,       "needed_bytes",        "storage.needed_bytes", 0, RESULT(U64, needed_bytes)},
    {&ranks,         "count",               "ranks.count", 0, RUN(U32, parts)},
    {&ranks,         "partition",           "ranks.partition", 0, RUN_WORD(partition, td_partition_names)},
    {&ranks,         "transport",           "ranks.transport", 0, RESULT(TEXT, transport)},
    {&ranks,         "imbalance",           "ranks.imbalance", 0, RECORD(DOUBLE, imbalance)},
    {&ranks,         "imbalance_time",      "ranks.imbalance_time", 0, RECORD(DOUBLE, imbalance_time)},
    {&ranks,         "exchange_ms",         "ranks.exchange_ms", IF(has.exchange), RESULT(DOUBLE, exchange_ms)},
    {&ranks,         "each",                NULL, 0, SPECIAL(PARTS)},
    {&improvement,   "baseline",            "improvement.baseline", 0, RECORD(TEXT, baseline)},
    {&improvement,   "factor",              "improvement.factor", 0, RECORD(DOUBLE, improvement.median)},
    {&improvement,   "ci95", "improvement.ci95.low", BOUNDED(improvement), BOUNDS(improvement.ci95.low)},
    {&improvement,   NULL, "improvement.ci95.high", BOUNDED(improvement), RECORD(DOUBLE, improvement.ci95.high)},
    {&device_state,  "sm_mhz",              "device_state.sm_mhz", 0, RECORD(DOUBLE, device.sm_mhz)},
    {&device_state,  "memory_mhz",          "device_state.memory_mhz", 0, RECORD(DOUBLE, device.memory_mhz)},
    {&device_state,  "temperature_c",       "device_state.temperature_c", 0, RECORD(DOUBLE, device.temperature_c)},
    {&device_state,  "power_w",             "device_state.power_w", 0, RECORD(DOUBLE, device.power_w)},
    {&device_state,  "other_processes",     "device_state.other_processes", 0, RECORD(DOUBLE, device.others)},
    {&device_state,  "throttled",           "device_state.throttled", 0, RECORD(MAYBE, device.throttled)},
    {NULL,           "energy_j",            "energy_j", 0, RECORD(DOUBLE, energy_j)},
    {&energy,        "launch_j",            "energy.launch_j", 0, RECORD(DOUBLE, launch_j.median)},
    {&energy,        "ci95",                "energy.ci95.low", BOUNDED(launch_j), BOUNDS(launch_j.ci95.low)},
    {&energy,        NULL, "energy.ci95.high", BOUNDED(launch_j), RECORD(DOUBLE, launch_j.ci95.high)},
    {&energy,        "nj_per_cell",         "energy.nj_per_cell", 0, RECORD(DOUBLE, nj_per_cell.median)},
    {&energy, "nj_per_cell_ci95", "energy.nj_per_cell_ci95.low", BOUNDED(launch_j), BOUNDS(nj_per_cell.ci95.low)},
    {&energy,        NULL, "energy.nj_per_cell_ci95.high", BOUNDED(launch_j), RECORD(DOUBLE, nj_per_cell.ci95.high)},
    {&energy,        "power_w",             "energy.power_w", 0, RECORD(DOUBLE, power_w)},
    {&energy,        "launches",            "energy.launches", 0, RESULT(U64, energy.launches)},
    {&energy,        "seconds",             "energy.seconds", 0, RESULT(DOUBLE, energy.seconds)},
    {&energy,        "reason",              "energy.reason", 0, RESULT(CHARS, energy.reason)},
};
/* clang-format on */

const size_t td_field_count = sizeof td_fields / sizeof td_fields[0];

/* ---- values ---- */

static bool is_there(size_t condition, const td_record *record)
{
    return condition == 0 || *(const bool *)((const char *)record + condition);
}

bool td_field_has_object(const td_field *field, const td_record *record)
{
    return field->object == NULL || is_there(field->object->exists, record);
}

static const void *at(const td_field *field, const td_record *record)
{
    const void *const places[] = {
        [TD_IN_RECORD] = record, [TD_IN_RUN] = record->run, [TD_IN_RESULT] = record->result};
    return (const char *)places[field->place] + field->offset;
}

static td_field_value count_of(uint64_t count)
{
    return (td_field_value){.type = TD_VALUE_COUNT, .count = count};
}

static td_field_value real_of(double real)
{
    return (td_field_value){.type = isfinite(real) ? TD_VALUE_REAL : TD_VALUE_NULL, .real = real};
}

static td_field_value flag_of(int flag)
{
    return (td_field_value){.type = flag >= 0 ? TD_VALUE_FLAG : TD_VALUE_NULL, .flag = flag == 1};
}

static td_field_value text_of(const char *text)
{
    const bool is_empty = text == NULL || text[0] == '\0';
    return (td_field_value){.type = is_empty ? TD_VALUE_NULL : TD_VALUE_TEXT, .text = text};
}

td_field_value td_field_read(const td_field *field, const td_record *record)
{
    if (!is_there(field->known, record) || !td_field_has_object(field, record)) {
        return (td_field_value){.type = TD_VALUE_NULL};
    }
    switch (field->kind) {
    case TD_FIELD_TEXT:
        return text_of(*(const char *const *)at(field, record));
    case TD_FIELD_CHARS:
        return text_of(at(field, record));
    case TD_FIELD_WORD:
        return text_of(field->names[*(const unsigned *)at(field, record)]);
    case TD_FIELD_TILE:
        return record->flat_tile[0] != '\0' ? text_of(record->flat_tile)
                                            : count_of(record->run->tile);
    case TD_FIELD_U32:
        return count_of(*(const uint32_t *)at(field, record));
    case TD_FIELD_U64:
        return count_of(*(const uint64_t *)at(field, record));
    case TD_FIELD_DOUBLE:
        return real_of(*(const double *)at(field, record));
    case TD_FIELD_BOOL:
        return flag_of(*(const bool *)at(field, record));
    case TD_FIELD_MAYBE:
        return flag_of(*(const int *)at(field, record));
    default:
        return (td_field_value){.type = TD_VALUE_NULL};
    }
}
