/* fields.c - the table of what is recorded of a run, one field per row. */
#include "fields.h"

#include <math.h>
#include <stddef.h>

#include "engine/sweep/key.h"

/* ---- the table ---- */

/* A bool of the record that says whether there is a value. */
#define IF(member) offsetof(td_record, member)

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

/* Where a value is stored; the writers find those of no place themselves. */
#define RECORD(member) .place = TD_IN_RECORD, .offset = offsetof(td_record, member)
#define RUN(member) .place = TD_IN_RUN, .offset = offsetof(td_run, member)
#define RESULT(member) .place = TD_IN_RESULT, .offset = offsetof(td_result, member)

/* clang-format off */
const td_field td_fields[] = {
    /* object        member                 column, known, kind, where it is */
    {NULL,           "key",                 "key", 0, TD_FIELD_CHARS, RUN(key)},
    {NULL,           "strategy",            "strategy", 0, TD_FIELD_TEXT, RECORD(strategy)},
    {NULL,           "workload",            "workload", 0, TD_FIELD_TEXT, RECORD(workload)},
    {NULL,           "engine",              "engine", 0, TD_FIELD_TEXT, RECORD(engine)},
    {NULL,           "dimension",           "dimension", 0, TD_FIELD_U32, RECORD(dimension)},
    {NULL,           "n",                   "n", 0, TD_FIELD_U32, RUN(problem.n)},
    {NULL,           "block",               "block.x", 0, TD_FIELD_U32, RUN(block.x), .elements = 3},
    {NULL,           NULL,                  "block.y", 0, TD_FIELD_U32, RUN(block.y)},
    {NULL,           NULL,                  "block.z", 0, TD_FIELD_U32, RUN(block.z)},
    {NULL,           "tile",                "tile", 0, TD_FIELD_TILE, RUN(tile)},
    {NULL,           "layout",              "layout", 0, TD_FIELD_WORD, RUN(problem.layout), .names = td_layout_names},
    {NULL,           "seed",                "seed", 0, TD_FIELD_U64, RUN(problem.seed)},
    {NULL,           "schedule",            "schedule", 0, TD_FIELD_WORD, RUN(schedule), .names = td_schedule_names},
    {NULL,           "kernel",              "kernel", 0, TD_FIELD_WORD, RESULT(kernel), .names = td_kernel_kind_names},
    {NULL,           "cache",               "cache", 0, TD_FIELD_WORD, RECORD(cache), .names = td_cache_names},
    {NULL,           "cutoff",              "cutoff", IF(has.cutoff), TD_FIELD_U32, RUN(cutoff)},
    {NULL,           "parameters",          NULL, 0, .kind = TD_FIELD_PARAMETERS},
    {&launch,        "kernels",             "launch.kernels", 0, TD_FIELD_U64, RESULT(kernels)},
    {&launch,        "blocks",              "launch.blocks", 0, TD_FIELD_U64, RESULT(blocks)},
    {&launch,        "blocks_needed",       "launch.blocks_needed", 0, TD_FIELD_U64, RESULT(blocks_needed)},
    {&launch,        "blocks_wasted",       "launch.blocks_wasted", 0, TD_FIELD_U64, RECORD(blocks_wasted)},
    {&launch,        "threads",             "launch.threads", 0, TD_FIELD_U64, RESULT(threads)},
    {&launch,        "cells",               "launch.cells", 0, TD_FIELD_U64, RESULT(cells)},
    {NULL,           "status",              "status", 0, TD_FIELD_WORD, RESULT(status), .names = td_run_status_names},
    {NULL,           "reason",              "reason", 0, TD_FIELD_TEXT, RECORD(reason)},
    {NULL,           "started",             "started", 0, TD_FIELD_CHARS, RECORD(started)},
    {&verified, "status", "verified.status", 0, TD_FIELD_WORD, RESULT(verified), .names = td_verified_names},
    {&verified,      "by",                  "verified.by", 0, TD_FIELD_TEXT, RECORD(verified_by)},
    {&verified,      "checked",             "verified.checked", IF(has.check), TD_FIELD_U64, RESULT(checked)},
    {&verified,      "mismatches",          "verified.mismatches", IF(has.check), TD_FIELD_U64, RESULT(mismatches)},
    {&verified, "max_abs_error", "verified.max_abs_error", IF(has.check), TD_FIELD_DOUBLE, RESULT(max_abs_error)},
    {NULL,           "result",              NULL, 0, .kind = TD_FIELD_FINDING},
    {&time_ms,       "median",              "time_ms.median", 0, TD_FIELD_DOUBLE, RECORD(time_ms.median)},
    {&time_ms, "ci95", "time_ms.ci95.low", IF(time_ms.ci95.known),
     TD_FIELD_DOUBLE, RECORD(time_ms.ci95.low), .elements = 2},
    {&time_ms,       NULL, "time_ms.ci95.high", IF(time_ms.ci95.known), TD_FIELD_DOUBLE, RECORD(time_ms.ci95.high)},
    {&time_ms,       "min",                 "time_ms.min", 0, TD_FIELD_DOUBLE, RECORD(time_ms.min)},
    {&time_ms,       "max",                 "time_ms.max", 0, TD_FIELD_DOUBLE, RECORD(time_ms.max)},
    {&time_ms,       "mean",                "time_ms.mean", 0, TD_FIELD_DOUBLE, RECORD(time_ms.mean)},
    {&time_ms,       "stddev",              "time_ms.stddev", 0, TD_FIELD_DOUBLE, RECORD(time_ms.stddev)},
    {NULL,           "per_step_ms",         "per_step_ms", 0, TD_FIELD_DOUBLE, RECORD(per_step_ms)},
    {&samples,       "count",               "samples.count", 0, TD_FIELD_U32, RESULT(sample_count)},
    {&samples,       "warmup",              "samples.warmup", 0, TD_FIELD_U32, RESULT(warmup)},
    {&samples,       "batch",               "samples.batch", 0, TD_FIELD_U32, RESULT(batch)},
    {&samples,       "precision",           "samples.precision", IF(has.precision), TD_FIELD_DOUBLE, RESULT(precision)},
    {&samples,       "half_width",          "samples.half_width", 0, TD_FIELD_DOUBLE, RECORD(half_width)},
    {&samples, "timing", "samples.timing", 0, TD_FIELD_WORD, RESULT(sampling), .names = td_sampling_names},
    {&samples,       "graph",               "samples.graph", 0, TD_FIELD_BOOL, RESULT(graph)},
    {&samples,       "ms",                  "samples.ms", 0, .kind = TD_FIELD_SAMPLES},
    {&throughput,    "cells_per_s",         "throughput.cells_per_s", 0, TD_FIELD_DOUBLE, RECORD(cells_per_s)},
    {&throughput,    "bytes",               "throughput.bytes", IF(has.bytes), TD_FIELD_U64, RESULT(bytes)},
    {&throughput,    "gb_per_s",            "throughput.gb_per_s", 0, TD_FIELD_DOUBLE, RECORD(gb_per_s)},
    {&throughput, "fraction_of_peak", "throughput.fraction_of_peak", 0, TD_FIELD_DOUBLE, RECORD(fraction_of_peak)},
    {&throughput,    "flops",               "throughput.flops", IF(has.flops), TD_FIELD_U64, RESULT(flops)},
    {&throughput,    "flops_per_s",         "throughput.flops_per_s", 0, TD_FIELD_DOUBLE, RECORD(flops_per_s)},
    {&roofline,      "bytes",               "roofline.bytes", 0, TD_FIELD_U64, RECORD(roofline.bytes)},
    {&roofline,      "arithmetic",          "roofline.arithmetic", 0, TD_FIELD_TEXT, RECORD(roofline.arithmetic)},
    {&roofline,      "operations",          "roofline.operations", 0, TD_FIELD_U64, RECORD(roofline.operations)},
    {&roofline, "operations_per_byte", "roofline.operations_per_byte", 0, TD_FIELD_DOUBLE, RECORD(roofline.intensity)},
    {&roofline,      "gop_per_s",           "roofline.gop_per_s", 0, TD_FIELD_DOUBLE, RECORD(roofline.gop_per_s)},
    {&roofline,      "ceiling",             "roofline.ceiling", 0, TD_FIELD_TEXT, RECORD(roofline.ceiling)},
    {&roofline,      "bound_ms",            "roofline.bound_ms", 0, TD_FIELD_DOUBLE, RECORD(roofline.bound_ms)},
    {&roofline, "fraction_of_bound", "roofline.fraction_of_bound", 0, TD_FIELD_DOUBLE, RECORD(roofline.fraction)},
    {NULL,           "caveats",             "caveats", 0, TD_FIELD_CHARS, RECORD(caveats)},
    {NULL,           "working_set_bytes",   "working_set_bytes", IF(planned), TD_FIELD_U64, RESULT(working_set_bytes)},
    {&storage,       "stored_bytes",        "storage.stored_bytes", 0, TD_FIELD_U64, RESULT(stored_bytes)},
    {&storage,       "needed_bytes",        "storage.needed_bytes", 0, TD_FIELD_U64, RESULT(needed_bytes)},
    {&ranks,         "count",               "ranks.count", 0, TD_FIELD_U32, RUN(parts)},
    {&ranks, "partition", "ranks.partition", 0, TD_FIELD_WORD, RUN(partition), .names = td_partition_names},
    {&ranks,         "transport",           "ranks.transport", 0, TD_FIELD_TEXT, RESULT(transport)},
    {&ranks,         "imbalance",           "ranks.imbalance", 0, TD_FIELD_DOUBLE, RECORD(imbalance)},
    {&ranks,         "imbalance_time",      "ranks.imbalance_time", 0, TD_FIELD_DOUBLE, RECORD(imbalance_time)},
    {&ranks, "exchange_ms", "ranks.exchange_ms", IF(has.exchange), TD_FIELD_DOUBLE, RESULT(exchange_ms)},
    {&ranks,         "each",                NULL, 0, .kind = TD_FIELD_PARTS},
    {&improvement,   "baseline",            "improvement.baseline", 0, TD_FIELD_TEXT, RECORD(baseline)},
    {&improvement,   "factor",              "improvement.factor", 0, TD_FIELD_DOUBLE, RECORD(improvement.median)},
    {&improvement, "ci95", "improvement.ci95.low", IF(improvement.ci95.known),
     TD_FIELD_DOUBLE, RECORD(improvement.ci95.low), .elements = 2},
    {&improvement, NULL, "improvement.ci95.high", IF(improvement.ci95.known),
     TD_FIELD_DOUBLE, RECORD(improvement.ci95.high)},
    {&device_state,  "sm_mhz",              "device_state.sm_mhz", 0, TD_FIELD_DOUBLE, RECORD(device.sm_mhz)},
    {&device_state,  "memory_mhz",          "device_state.memory_mhz", 0, TD_FIELD_DOUBLE, RECORD(device.memory_mhz)},
    {&device_state, "temperature_c", "device_state.temperature_c", 0, TD_FIELD_DOUBLE, RECORD(device.temperature_c)},
    {&device_state,  "power_w",             "device_state.power_w", 0, TD_FIELD_DOUBLE, RECORD(device.power_w)},
    {&device_state,  "other_processes",     "device_state.other_processes", 0, TD_FIELD_DOUBLE, RECORD(device.others)},
    {&device_state,  "throttled",           "device_state.throttled", 0, TD_FIELD_MAYBE, RECORD(device.throttled)},
    {NULL,           "energy_j",            "energy_j", 0, TD_FIELD_DOUBLE, RECORD(energy_j)},
    {&energy,        "launch_j",            "energy.launch_j", 0, TD_FIELD_DOUBLE, RECORD(launch_j.median)},
    {&energy, "ci95", "energy.ci95.low", IF(launch_j.ci95.known),
     TD_FIELD_DOUBLE, RECORD(launch_j.ci95.low), .elements = 2},
    {&energy,        NULL, "energy.ci95.high", IF(launch_j.ci95.known), TD_FIELD_DOUBLE, RECORD(launch_j.ci95.high)},
    {&energy,        "nj_per_cell",         "energy.nj_per_cell", 0, TD_FIELD_DOUBLE, RECORD(nj_per_cell.median)},
    {&energy, "nj_per_cell_ci95", "energy.nj_per_cell_ci95.low", IF(launch_j.ci95.known),
     TD_FIELD_DOUBLE, RECORD(nj_per_cell.ci95.low), .elements = 2},
    {&energy, NULL, "energy.nj_per_cell_ci95.high", IF(launch_j.ci95.known),
     TD_FIELD_DOUBLE, RECORD(nj_per_cell.ci95.high)},
    {&energy,        "power_w",             "energy.power_w", 0, TD_FIELD_DOUBLE, RECORD(power_w)},
    {&energy,        "launches",            "energy.launches", 0, TD_FIELD_U64, RESULT(energy.launches)},
    {&energy,        "seconds",             "energy.seconds", 0, TD_FIELD_DOUBLE, RESULT(energy.seconds)},
    {&energy,        "reason",              "energy.reason", 0, TD_FIELD_CHARS, RESULT(energy.reason)},
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
