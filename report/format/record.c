/* record.c - from raw samples to what is reported about a run. */
#include "record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/bench/plain_loop.h"
#include "engine/core/parameter.h"
#include "engine/host.h"

const char *const td_run_status_names[] = {"ok",      "failed",      "skipped",
                                           "planned", "interrupted", "dropped"};
const char *const td_verified_names[] = {"none", "pass", "fail"};
const char *const td_kernel_kind_names[] = {"cell", "loop", "tile"};
const char *const td_schedule_names[] = {"grid", "persistent", "dynamic"};
const char *const td_cache_names[] = {"warm", "cold"};

void td_device_text(const char *gpu, const char *processor, uint32_t threads,
                    char text[TD_DEVICE_SIZE])
{
    const char *name = gpu != NULL ? gpu : processor != NULL ? processor : "";
    if (gpu != NULL || name[0] == '\0' || threads == 0) {
        snprintf(text, TD_DEVICE_SIZE, "%s", name);
    } else {
        snprintf(text, TD_DEVICE_SIZE, "%s, %u thread%s", name, threads, threads == 1 ? "" : "s");
    }
}

void td_device_of(const td_environment *e, char text[TD_DEVICE_SIZE])
{
    td_device_text(e->has_gpu ? e->gpu_name : NULL, e->cpu_model, e->cpu_threads, text);
}

/* A run that did not end well needs a reason, even if none was noted. */
static const char *reason_of(const td_run *run, const td_result *result)
{
    if (result->reason[0] != '\0') {
        return result->reason;
    }
    if (result->status == TD_RUN_SKIPPED) {
        return run->skip[0] != '\0' ? run->skip : "cannot work";
    }
    if (result->status == TD_RUN_FAILED) {
        return result->verified == TD_VERIFIED_FAIL ? "the output differs from the reference"
                                                    : "unknown";
    }
    return NULL;
}

/* A domain without work, such as N = 1 without its diagonal, has a plan of no grids. */
static bool is_planned(const td_result *result)
{
    return result->kernels > 0 || result->status == TD_RUN_OK || result->status == TD_RUN_PLANNED;
}

/* The amount per second at the median; an amount of 0 has no rate. */
static double rate(uint64_t amount, double median_ms)
{
    return amount > 0 && median_ms > 0 ? (double)amount / (median_ms * 1e-3) : NAN;
}

static double known_or_nan(double value, bool known)
{
    return known ? value : NAN;
}

static td_telemetry device_state(const td_result *result)
{
    const td_telemetry *after = &result->after;
    return (td_telemetry){
        .sm_mhz = known_or_nan(after->sm_mhz, after->sm_mhz > 0),
        .memory_mhz = known_or_nan(after->memory_mhz, after->memory_mhz > 0),
        .temperature_c = known_or_nan(after->temperature_c, after->temperature_c >= 0),
        .power_w = known_or_nan(after->power_w, after->power_w > 0),
        .others = known_or_nan(fmax(result->before.others, after->others), after->others >= 0),
        .throttled = result->before.throttled == 1 ? 1 : after->throttled,
    };
}

static void add_throughput(const td_result *result, double fill_gb_per_s, td_record *record)
{
    const double median_ms = record->time_ms.median;
    record->cells_per_s = rate(result->cells, median_ms);
    record->gb_per_s = result->bytes > 0 ? rate(result->bytes, median_ms) * 1e-9 : NAN;
    record->flops_per_s =
        td_workload_has_model(record->run->workload) ? rate(result->flops, median_ms) : NAN;
    record->fraction_of_peak = fill_gb_per_s > 0 ? record->gb_per_s / fill_gb_per_s : NAN;
}

/* Energy per cell: that of a launch over the cells that it computes, where each generation counts. */
static bool add_energy(td_record *record)
{
    const td_energy *energy = &record->result->energy;
    double nj_per_cell[TD_ENERGY_WINDOWS];
    for (uint32_t w = 0; w < energy->windows; w++) {
        nj_per_cell[w] = energy->launch_j[w] * 1e9 / (double)record->result->cells;
    }
    if (!td_summarise(energy->launch_j, energy->windows, &record->launch_j) ||
        !td_summarise(nj_per_cell, energy->windows, &record->nj_per_cell)) {
        return false;
    }
    record->power_w = NAN;
    if (energy->windows > 0) {
        record->energy_j = record->launch_j.median;
        record->power_w = energy->joules / energy->seconds;
    }
    return true;
}

/* Largest over mean: 1 if no part waits for another. */
static void add_imbalance(const td_result *result, td_record *record)
{
    double cells = 0.0, most_cells = 0.0, ms = 0.0, most_ms = 0.0;
    for (uint32_t r = 0; r < result->part_count; r++) {
        const td_part_result *part = &result->part_results[r];
        cells += (double)part->cells;
        ms += part->median_ms;
        most_cells = fmax(most_cells, (double)part->cells);
        most_ms = fmax(most_ms, part->median_ms);
    }
    record->imbalance = cells > 0.0 ? most_cells * result->part_count / cells : NAN;
    record->imbalance_time = ms > 0.0 ? most_ms * result->part_count / ms : NAN;
}

/* The memory rates and the caches of all devices together: one is described, and each of the others has
 * one like it. */
static td_environment all_devices(const td_environment *environment, const td_result *result)
{
    const double devices = result->part_count > 0 ? result->part_count : 1.0;
    td_environment all = *environment;
    all.peaks.fill_gb_per_s *= devices;
    all.peaks.copy_gb_per_s *= devices;
    all.l2_bytes *= (uint64_t)devices;
    all.cpu_cache_bytes *= (uint64_t)devices;
    return all;
}

static void add_caveats(const td_environment *e, td_record *record)
{
    const bool on_host = record->measured && !record->run->engine->can.device_memory;
    const struct {
        bool applies;
        const char *words;
    } all[] = {
        {td_is_wide(&record->time_ms), "wide interval"},
        {record->time_ms.two_modes, "two modes"},
        {record->measured && record->device.throttled == 1, "throttled"},
        {record->measured && record->device.others > 0.0, "shared"},
        {record->roofline.exceeded, "above its bound"},
        {on_host && td_host_is_busy(e), "busy host"},
        {on_host && e->cpu_governor[0] != '\0' && strcmp(e->cpu_governor, "performance") != 0,
         "governor"},
    };
    size_t at = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i].applies) {
            at += (size_t)snprintf(record->caveats + at, sizeof record->caveats - at, "%s%s",
                                   at > 0 ? ", " : "", all[i].words);
        }
    }
}

/* The kind of reference that verified the result: readers cannot know whether a workload from a file has one of its
 * own. */
static const char *verified_by(const td_workload *workload, const td_result *result)
{
    return result->verified == TD_VERIFIED_NONE ? NULL
           : td_is_proven_by_loop(workload)     ? "loop"
           : workload->sum != NULL              ? "total"
                                                : "check";
}

void td_how_text(const td_run *run, const td_result *result, char how[TD_HOW_SIZE])
{
    char tile[TD_TILE_SIZE];
    int used = snprintf(how, TD_HOW_SIZE, "-b %ux%u", run->block.x, run->block.y);
    if (run->workload->dimension == 3) {
        used += snprintf(how + used, TD_HOW_SIZE - (size_t)used, "x%u", run->block.z);
    }
    const bool is_plain = !run->tiled && run->width == 0 && run->tile == run->block.x &&
                          (run->tile == run->block.y || run->strategy->unit != TD_MAPS_BLOCKS);
    if (!is_plain) {
        td_tile_text(run->tile, run->width, tile);
        used += snprintf(how + used, TD_HOW_SIZE - (size_t)used, " --tile %s", tile);
    }
    if (result->kernel != TD_KERNEL_CELL) {
        used += snprintf(how + used, TD_HOW_SIZE - (size_t)used, " --kernel %s",
                         td_kernel_kind_names[result->kernel]);
    }
    if (run->schedule != TD_SCHEDULE_GRID) {
        used += snprintf(how + used, TD_HOW_SIZE - (size_t)used, " --schedule %s",
                         td_schedule_names[run->schedule]);
    }
    for (size_t p = 0; p < run->workload->parameter_count; p++) {
        const td_parameter *parameter = &run->workload->parameters[p];
        char value[TD_VALUE_SIZE];
        if (parameter->is_tuned) {
            td_parameter_text(parameter, run->problem.parameters[p], value);
            used += snprintf(how + used, TD_HOW_SIZE - (size_t)used, " --%s %s", parameter->name,
                             value);
        }
    }
}

/* Whether the runs of a group differ in block, tile, kernel or schedule, as those of a search do. */
static bool is_mixed(const td_group *group)
{
    const td_run *first = &group->runs[0];
    for (size_t r = 1; r < group->count; r++) {
        const td_run *run = &group->runs[r];
        if (run->workload != first->workload || run->tile != first->tile ||
            run->tiled != first->tiled || run->schedule != first->schedule ||
            memcmp(&run->block, &first->block, sizeof run->block) != 0) {
            return true;
        }
    }
    return false;
}

static void note_what_there_is(td_record *record)
{
    const td_run *run = record->run;
    const td_result *result = record->result;
    const td_workload *w = run->workload;
    record->has.check = result->verified != TD_VERIFIED_NONE;
    record->has.improvement = record->baseline != NULL;
    record->has.energy = record->measured && result->energy.asked;
    record->has.parts = run->parts > 0;
    record->has.exchange = run->parts > 0 && result->exchange_ms >= 0.0;
    record->has.precision = result->precision > 0.0;
    record->has.flops =
        record->planned && (w->own == NULL || w->model.flops != NULL || w->model.int_ops > 0);
    record->has.storage = record->planned && result->stored_bytes > 0;
    record->has.model = record->planned && td_workload_has_model(w);
}

td_status td_record_make(const td_group *group, const td_result *results, size_t index,
                         td_cache cache, const td_environment *environment, td_record *record,
                         td_error *error)
{
    const td_result *result = &results[index];
    *record = (td_record){
        .run = &group->runs[index],
        .result = result,
        .strategy = group->runs[index].strategy->name,
        .workload = group->runs[index].workload->name,
        .engine = group->runs[index].engine->name,
        .verified_by = verified_by(group->runs[index].workload, result),
        .cache = cache,
        .reason = reason_of(&group->runs[index], result),
        .dimension = (uint32_t)group->runs[index].workload->dimension,
        .planned = is_planned(result),
        .blocks_wasted = result->blocks - result->blocks_needed,
        .measured = result->sample_count > 0,
        .time_ms = result->sample_count > 0 ? result->time_ms : td_unknown_summary(0),
        .baseline = result->baseline,
        .improvement = result->baseline != NULL ? result->improvement : td_unknown_summary(0),
        .device = device_state(result),
        .energy_j = NAN,
    };
    td_time_of(result->started_unix_s, record->started);
    if (record->run->width != 0) {
        td_tile_text(record->run->tile, record->run->width, record->flat_tile);
    }
    if (!add_energy(record)) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for the statistics of %s",
                       record->run->key);
    }
    record->half_width = td_half_width(&record->time_ms);
    const uint32_t steps = td_workload_steps(record->run->workload, &record->run->problem);
    record->per_step_ms = steps > 0 ? record->time_ms.median / steps : NAN;
    const td_environment all = all_devices(environment, result);
    add_imbalance(result, record);
    add_throughput(result, all.peaks.fill_gb_per_s, record);
    record->roofline = td_roofline_make(record->run, result, &all, &record->time_ms);
    add_caveats(environment, record);
    if (is_mixed(group)) {
        td_how_text(record->run, result, record->how);
    }
    note_what_there_is(record);
    return TD_OK;
}
