/* fields.c - what is recorded of a run, row by row. */
#include "fields.h"

#include <math.h>
#include <stddef.h>

#include "engine/bench/plain_loop.h"

/* ---- when there is a value ---- */

static bool planned(const td_record *r)
{
    return r->planned;
}

static bool measured(const td_record *r)
{
    return r->measured;
}

static bool checked(const td_record *r)
{
    return r->result->verified != TD_VERIFIED_NONE;
}

static bool compared(const td_record *r)
{
    return r->baseline != NULL;
}

static bool counted(const td_record *r)
{
    return r->measured && r->result->energy.asked;
}

static bool energy_bounds(const td_record *r)
{
    return r->launch_j.ci95.known;
}

static bool spread(const td_record *r)
{
    return r->run->ranks > 0;
}

static bool has_exchange(const td_record *r)
{
    return r->run->ranks > 0 && r->result->exchange_ms >= 0.0;
}

static bool has_cutoff(const td_record *r)
{
    return r->run->cutoff > 0;
}

static bool time_bounds(const td_record *r)
{
    return r->time_ms.ci95.known;
}

static bool has_precision(const td_record *r)
{
    return r->result->precision > 0.0;
}

static bool has_retry(const td_record *r)
{
    return r->result->retry > 0;
}

static bool factor_bounds(const td_record *r)
{
    return r->baseline != NULL && r->improvement.ci95.known;
}

static bool has_bytes(const td_record *r)
{
    return r->planned && r->result->bytes > 0;
}

static bool has_flops(const td_record *r)
{
    const td_workload *w = r->run->workload;
    return r->planned && (w->own == NULL || w->flops != NULL || w->int_ops > 0);
}

static bool has_model(const td_record *r)
{
    return r->planned && td_workload_has_model(r->run->workload);
}

/* ---- words ---- */

static const char *key(const td_record *r)
{
    return r->run->key;
}

static const char *strategy(const td_record *r)
{
    return r->run->strategy->name;
}

static const char *workload(const td_record *r)
{
    return r->run->workload->name;
}

static const char *engine(const td_record *r)
{
    return r->run->engine->name;
}

static const char *layout(const td_record *r)
{
    return td_layout_name(r->run->problem.layout);
}

static const char *schedule(const td_record *r)
{
    return td_schedule_name(r->run->schedule);
}

static const char *kernel(const td_record *r)
{
    return td_kernel_kind_name(r->result->kernel);
}

static const char *cache(const td_record *r)
{
    return td_cache_name(r->cache);
}

static const char *timing(const td_record *r)
{
    return td_sampling_name(r->result->sampling);
}

static const char *disturbance(const td_record *r)
{
    return r->result->disturbance;
}

static const char *energy_reason(const td_record *r)
{
    return r->energy_reason;
}

static const char *partition(const td_record *r)
{
    return td_partition_name(r->run->partition);
}

static const char *transport(const td_record *r)
{
    return r->result->transport;
}

static const char *status(const td_record *r)
{
    return td_run_status_name(r->result->status);
}

static const char *reason(const td_record *r)
{
    return r->reason;
}

static const char *started(const td_record *r)
{
    return r->started[0] != '\0' ? r->started : NULL;
}

static const char *verified_status(const td_record *r)
{
    return td_verified_name(r->result->verified);
}

/* By what: nobody has to guess whether a reference of its own stands behind a file's workload. */
static const char *verified_by(const td_record *r)
{
    const td_workload *w = r->run->workload;
    return r->result->verified == TD_VERIFIED_NONE ? NULL
           : td_is_proven_by_loop(w)               ? "loop"
           : w->sum != NULL                        ? "total"
                                                   : "check";
}

static const char *baseline(const td_record *r)
{
    return r->baseline;
}

static const char *arithmetic(const td_record *r)
{
    return r->roofline.arithmetic;
}

static const char *caveats(const td_record *r)
{
    return r->caveats[0] != '\0' ? r->caveats : NULL;
}

static const char *ceiling(const td_record *r)
{
    return r->roofline.ceiling;
}

/* ---- the table ---- */

static const td_field_object launch = {"launch", planned};
static const td_field_object ranks = {"ranks", spread};
static const td_field_object verified = {"verified", NULL};
static const td_field_object time_ms = {"time_ms", measured};
static const td_field_object samples = {"samples", measured};
static const td_field_object throughput = {"throughput", NULL};
static const td_field_object roofline = {"roofline", has_model};
static const td_field_object improvement = {"improvement", compared};
static const td_field_object energy = {"energy", counted};
static const td_field_object device_state = {"device_state", measured};

/* What a function says: a word. */
#define WORD(function) TD_FIELD_TEXT, function, TD_IN_RECORD, 0, 0
/* Where a number lies. */
#define RECORD(kind, member) TD_FIELD_##kind, NULL, TD_IN_RECORD, offsetof(td_record, member), 0
#define RUN(kind, member) TD_FIELD_##kind, NULL, TD_IN_RUN, offsetof(td_run, member), 0
#define RESULT(kind, member) TD_FIELD_##kind, NULL, TD_IN_RESULT, offsetof(td_result, member), 0
/* The first number of an array; the others are in the next rows. */
#define SIDES(member) TD_FIELD_U32, NULL, TD_IN_RUN, offsetof(td_run, member), 3
#define BOUNDS(member) TD_FIELD_DOUBLE, NULL, TD_IN_RECORD, offsetof(td_record, member), 2
/* The writers know how. */
#define SPECIAL(kind) TD_FIELD_##kind, NULL, TD_IN_RECORD, 0, 0

/* clang-format off */
const td_field td_fields[] = {
    /* object       member                 column, known, value */
    {NULL,          "key",                 "key", NULL, WORD(key)},
    {NULL,          "strategy",            "strategy", NULL, WORD(strategy)},
    {NULL,          "workload",            "workload", NULL, WORD(workload)},
    {NULL,          "engine",              "engine", NULL, WORD(engine)},
    {NULL,          "dimension",           "dimension", NULL, RECORD(U32, dimension)},
    {NULL,          "n",                   "n", NULL, RUN(U32, problem.n)},
    {NULL,          "block",               "block.x", NULL, SIDES(block.x)},
    {NULL,          NULL,                  "block.y", NULL, RUN(U32, block.y)},
    {NULL,          NULL,                  "block.z", NULL, RUN(U32, block.z)},
    {NULL,          "tile",                "tile", NULL, RUN(TILE, tile)},
    {NULL,          "layout",              "layout", NULL, WORD(layout)},
    {NULL,          "seed",                "seed", NULL, RUN(U64, problem.seed)},
    {NULL,          "schedule",            "schedule", NULL, WORD(schedule)},
    {NULL,          "kernel",              "kernel", NULL, WORD(kernel)},
    {NULL,          "cache",               "cache", NULL, WORD(cache)},
    {NULL,          "cutoff",              "cutoff", has_cutoff, RUN(U32, cutoff)},
    {NULL,          "parameters",          NULL, NULL, SPECIAL(PARAMETERS)},
    {&launch,       "kernels",             "launch.kernels", NULL, RESULT(U64, kernels)},
    {&launch,       "blocks",              "launch.blocks", NULL, RESULT(U64, blocks)},
    {&launch,       "blocks_needed",       "launch.blocks_needed", NULL, RESULT(U64, blocks_needed)},
    {&launch,       "blocks_wasted",       "launch.blocks_wasted", NULL, RECORD(U64, blocks_wasted)},
    {&launch,       "threads",             "launch.threads", NULL, RESULT(U64, threads)},
    {&launch,       "cells",               "launch.cells", NULL, RESULT(U64, cells)},
    {NULL,          "status",              "status", NULL, WORD(status)},
    {NULL,          "reason",              "reason", NULL, WORD(reason)},
    {NULL,          "started",             "started", NULL, WORD(started)},
    {&verified,     "status",              "verified.status", NULL, WORD(verified_status)},
    {&verified,     "by",                  "verified.by", NULL, WORD(verified_by)},
    {&verified,     "checked",             "verified.checked", checked, RESULT(U64, checked)},
    {&verified,     "mismatches",          "verified.mismatches", checked, RESULT(U64, mismatches)},
    {&verified,     "max_abs_error",       "verified.max_abs_error", checked, RESULT(DOUBLE, max_abs_error)},
    {NULL,          "result",              NULL, NULL, SPECIAL(FINDING)},
    {&time_ms,      "median",              "time_ms.median", NULL, RECORD(DOUBLE, time_ms.median)},
    {&time_ms,      "ci95",                "time_ms.ci95.low", time_bounds, BOUNDS(time_ms.ci95.low)},
    {&time_ms,      NULL,                  "time_ms.ci95.high", time_bounds, RECORD(DOUBLE, time_ms.ci95.high)},
    {&time_ms,      "min",                 "time_ms.min", NULL, RECORD(DOUBLE, time_ms.min)},
    {&time_ms,      "max",                 "time_ms.max", NULL, RECORD(DOUBLE, time_ms.max)},
    {&time_ms,      "mean",                "time_ms.mean", NULL, RECORD(DOUBLE, time_ms.mean)},
    {&time_ms,      "stddev",              "time_ms.stddev", NULL, RECORD(DOUBLE, time_ms.stddev)},
    {NULL,          "per_step_ms",         "per_step_ms", NULL, RECORD(DOUBLE, per_step_ms)},
    {&samples,      "count",               "samples.count", NULL, RESULT(U32, sample_count)},
    {&samples,      "warmup",              "samples.warmup", NULL, RESULT(U32, warmup)},
    {&samples,      "batch",               "samples.batch", NULL, RESULT(U32, batch)},
    {&samples,      "setups",              "samples.setups", NULL, RESULT(U32, setups)},
    {&samples,      "setup_spread",        "samples.setup_spread", NULL, RECORD(DOUBLE, setup_spread)},
    {&samples,      "precision",           "samples.precision", has_precision, RESULT(DOUBLE, precision)},
    {&samples,      "half_width",          "samples.half_width", NULL, RECORD(DOUBLE, half_width)},
    {&samples,      "retry",               "samples.retry", has_retry, RESULT(U32, retry)},
    {&samples,      "retries",             "samples.retries", has_retry, RESULT(U32, retries)},
    {&samples,      "disturbance",         "samples.disturbance", NULL, WORD(disturbance)},
    {&samples,      "timing",              "samples.timing", NULL, WORD(timing)},
    {&samples,      "graph",               "samples.graph", NULL, RESULT(BOOL, graph)},
    {&samples,      "ms",                  "samples.ms", NULL, SPECIAL(SAMPLES)},
    {&throughput,   "cells_per_s",         "throughput.cells_per_s", NULL, RECORD(DOUBLE, cells_per_s)},
    {&throughput,   "bytes",               "throughput.bytes", has_bytes, RESULT(U64, bytes)},
    {&throughput,   "gb_per_s",            "throughput.gb_per_s", NULL, RECORD(DOUBLE, gb_per_s)},
    {&throughput,   "fraction_of_peak",    "throughput.fraction_of_peak", NULL, RECORD(DOUBLE, fraction_of_peak)},
    {&throughput,   "flops",               "throughput.flops", has_flops, RESULT(U64, flops)},
    {&throughput,   "flops_per_s",         "throughput.flops_per_s", NULL, RECORD(DOUBLE, flops_per_s)},
    {&roofline,     "bytes",               "roofline.bytes", NULL, RECORD(U64, roofline.bytes)},
    {&roofline,     "arithmetic",          "roofline.arithmetic", NULL, WORD(arithmetic)},
    {&roofline,     "operations",          "roofline.operations", NULL, RECORD(U64, roofline.operations)},
    {&roofline,     "operations_per_byte", "roofline.operations_per_byte", NULL, RECORD(DOUBLE, roofline.intensity)},
    {&roofline,     "gop_per_s",           "roofline.gop_per_s", NULL, RECORD(DOUBLE, roofline.gop_per_s)},
    {&roofline,     "ceiling",             "roofline.ceiling", NULL, WORD(ceiling)},
    {&roofline,     "bound_ms",            "roofline.bound_ms", NULL, RECORD(DOUBLE, roofline.bound_ms)},
    {&roofline,     "fraction_of_bound",   "roofline.fraction_of_bound", NULL, RECORD(DOUBLE, roofline.fraction)},
    {NULL,          "caveats",             "caveats", NULL, WORD(caveats)},
    {NULL,          "working_set_bytes",   "working_set_bytes", planned, RESULT(U64, working_set_bytes)},
    {&ranks,        "count",               "ranks.count", NULL, RUN(U32, ranks)},
    {&ranks,        "partition",           "ranks.partition", NULL, WORD(partition)},
    {&ranks,        "transport",           "ranks.transport", NULL, WORD(transport)},
    {&ranks,        "imbalance",           "ranks.imbalance", NULL, RECORD(DOUBLE, imbalance)},
    {&ranks,        "imbalance_time",      "ranks.imbalance_time", NULL, RECORD(DOUBLE, imbalance_time)},
    {&ranks,        "exchange_ms",         "ranks.exchange_ms", has_exchange, RESULT(DOUBLE, exchange_ms)},
    {&ranks,        "each",                NULL, NULL, SPECIAL(RANKS)},
    {&improvement,  "baseline",            "improvement.baseline", NULL, WORD(baseline)},
    {&improvement,  "factor",              "improvement.factor", NULL, RECORD(DOUBLE, improvement.median)},
    {&improvement,  "ci95",                "improvement.ci95.low", factor_bounds, BOUNDS(improvement.ci95.low)},
    {&improvement,  NULL, "improvement.ci95.high", factor_bounds, RECORD(DOUBLE, improvement.ci95.high)},
    {&device_state, "sm_mhz",              "device_state.sm_mhz", NULL, RECORD(DOUBLE, device.sm_mhz)},
    {&device_state, "memory_mhz",          "device_state.memory_mhz", NULL, RECORD(DOUBLE, device.memory_mhz)},
    {&device_state, "temperature_c",       "device_state.temperature_c", NULL, RECORD(DOUBLE, device.temperature_c)},
    {&device_state, "power_w",             "device_state.power_w", NULL, RECORD(DOUBLE, device.power_w)},
    {&device_state, "other_processes",     "device_state.other_processes", NULL, RECORD(DOUBLE, device.others)},
    {&device_state, "throttled",           "device_state.throttled", NULL, RECORD(MAYBE, device.throttled)},
    {NULL,          "energy_j",            "energy_j", NULL, RECORD(DOUBLE, energy_j)},
    {&energy,       "launch_j",            "energy.launch_j", NULL, RECORD(DOUBLE, launch_j.median)},
    {&energy,       "ci95",                "energy.ci95.low", energy_bounds, BOUNDS(launch_j.ci95.low)},
    {&energy,       NULL,                  "energy.ci95.high", energy_bounds, RECORD(DOUBLE, launch_j.ci95.high)},
    {&energy,       "nj_per_cell",         "energy.nj_per_cell", NULL, RECORD(DOUBLE, nj_per_cell.median)},
    {&energy,       "nj_per_cell_ci95",    "energy.nj_per_cell_ci95.low", energy_bounds, BOUNDS(nj_per_cell.ci95.low)},
    {&energy,       NULL, "energy.nj_per_cell_ci95.high", energy_bounds, RECORD(DOUBLE, nj_per_cell.ci95.high)},
    {&energy,       "power_w",             "energy.power_w", NULL, RECORD(DOUBLE, power_w)},
    {&energy,       "launches",            "energy.launches", NULL, RESULT(U64, energy.launches)},
    {&energy,       "seconds",             "energy.seconds", NULL, RESULT(DOUBLE, energy.seconds)},
    {&energy,       "reason",              "energy.reason", NULL, WORD(energy_reason)},
};
/* clang-format on */

const size_t td_field_count = sizeof td_fields / sizeof td_fields[0];

/* ---- values ---- */

bool td_field_has_object(const td_field *field, const td_record *record)
{
    const td_field_object *object = field->object;
    return object == NULL || object->exists == NULL || object->exists(record);
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
    return (td_field_value){.type = text != NULL ? TD_VALUE_TEXT : TD_VALUE_NULL, .text = text};
}

td_field_value td_field_read(const td_field *field, const td_record *record)
{
    const bool known = field->known == NULL || field->known(record);
    if (!known || !td_field_has_object(field, record)) {
        return (td_field_value){.type = TD_VALUE_NULL};
    }
    switch (field->kind) {
    case TD_FIELD_TEXT:
        return text_of(field->text(record));
    case TD_FIELD_TILE:
        if (record->flat_tile[0] != '\0') {
            return text_of(record->flat_tile);
        }
        return count_of(record->run->tile);
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
