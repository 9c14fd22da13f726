/* record.c - from raw samples to what is reported about a run. */
#include "record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/bench/verify.h"
#include "engine/core/parameter.h"
#include "engine/host.h"

const char *const td_run_status_names[] = {"ok",      "failed",      "skipped",
                                           "planned", "interrupted", "dropped"};
const char *const td_verified_names[] = {"none", "pass", "fail"};
const char *const td_kernel_kind_names[] = {"cell", "loop", "tile"};
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

double td_rate(uint64_t amount, const td_summary *time_ms)
{
    return amount > 0 && time_ms->median > 0 ? (double)amount / (time_ms->median * 1e-3) : NAN;
}

/* Energy per cell: that of a launch over the cells that it computes, where each generation counts. */
static bool add_energy(td_record *record)
{
    const td_energy *energy = &record->result->energy;
    double nj_per_cell[TD_ENERGY_WINDOWS];
    for (uint32_t w = 0; w < energy->windows; w++) {
        nj_per_cell[w] = energy->launch_j[w] * 1e9 / (double)record->result->cells;
    }
    return td_summarise(energy->launch_j, energy->windows, &record->launch_j) &&
           td_summarise(nj_per_cell, energy->windows, &record->nj_per_cell);
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

/* ---- the bound ---- */

/* Whether the run's kernel is for tensor cores, which do exactly the model's operations. */
static bool is_on_tensor_cores(const td_run *run, const td_result *result)
{
    return result->kernel == TD_KERNEL_TILE && run->workload->tiles->cluster_shared > 0;
}

static const char *arithmetic_of(const td_run *run, const td_result *result)
{
    if (is_on_tensor_cores(run, result)) {
        return "tensor";
    }
    const char *floating = run->workload->sum != NULL ? "fp64" : "fp32";
    return result->flops > 0 ? floating : result->int_ops > 0 ? "int32" : NULL;
}

/* The bytes that no cache can keep from one pass over the data to the next. */
static double least_bytes(const td_run *run, const td_result *result, const td_environment *e)
{
    const bool on_device = run->engine != NULL && run->engine->can.device_memory;
    const double cache_bytes = (double)(on_device ? e->l2_bytes : e->cpu_cache_bytes);
    const double least = (double)result->launch_bytes - (double)result->passes * cache_bytes;
    return cache_bytes > 0 ? fmax(least, 0.0) : 0.0;
}

/* A bound above the median alone may be noise: compare with the whole interval. */
static bool is_above(double bound_ms, const td_summary *time_ms)
{
    return bound_ms > (time_ms->ci95.known ? time_ms->ci95.high : time_ms->max);
}

td_roofline td_roofline_make(const td_run *run, const td_result *result,
                             const td_environment *environment, const td_summary *time_ms)
{
    if (!td_workload_has_model(run->workload)) {
        return (td_roofline){.intensity = NAN, .gop_per_s = NAN, .bound_ms = NAN, .fraction = NAN};
    }
    const double bytes = (double)result->launch_bytes, median_ms = time_ms->median;
    const uint64_t operations = result->flops > 0 ? result->flops : result->int_ops;
    const double fill = environment->peaks.fill_gb_per_s, copy = environment->peaks.copy_gb_per_s;
    const double least = least_bytes(run, result, environment);
    const double tensor = environment->peaks.tensor_gop_per_s;
    const bool by_memory = least > 0 && fmax(fill, copy) > 0;
    const bool by_tensor = is_on_tensor_cores(run, result) && tensor > 0;
    const double memory_ms = by_memory ? least / (fmax(fill, copy) * 1e6) : NAN;
    const double tensor_ms = by_tensor ? (double)operations / (tensor * 1e6) : NAN;
    const double bound_ms = fmax(memory_ms, tensor_ms); /* the one that is known, or both */
    return (td_roofline){
        .bytes = result->launch_bytes,
        .operations = operations,
        .arithmetic = arithmetic_of(run, result),
        .intensity = bytes > 0 ? (double)operations / bytes : NAN,
        .gop_per_s = median_ms > 0 ? (double)operations / (median_ms * 1e6) : NAN,
        .ceiling = bound_ms == tensor_ms ? "tensor"
                   : !by_memory          ? NULL
                   : copy > fill         ? "copy"
                                         : "fill",
        .bound_ms = bound_ms,
        .fraction = median_ms > 0 ? bound_ms / median_ms : NAN,
        .exceeded = (by_memory || by_tensor) && is_above(bound_ms, time_ms),
    };
}

/* ---- caveats and options, in words ---- */

static void add_caveats(const td_environment *e, td_record *record)
{
    const bool on_host = record->measured && !record->run->engine->can.device_memory;
    const struct {
        bool applies;
        const char *words;
    } all[] = {
        {td_is_wide(&record->time_ms), "wide interval"},
        {record->time_ms.two_modes, "two modes"},
        {record->measured && record->throttled == 1, "throttled"},
        {record->measured && record->others > 0.0, "shared"},
        {record->roofline.exceeded, "above its bound"},
        {on_host && (td_host_is_busy(e) || record->result->crowded), "busy host"},
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

void td_how_text(const td_run *run, const td_result *result, char how[TD_HOW_SIZE])
{
    td_text text = {0};
    td_text_print(&text, run->workload->dimension == 3 ? "-b %ux%ux%u" : "-b %ux%u", run->block.x,
                  run->block.y, run->block.z);
    const bool is_plain = !run->tiled && run->width == 0 && run->tile == run->block.x &&
                          (run->tile == run->block.y || run->strategy->unit != TD_MAPS_BLOCKS);
    if (!is_plain) {
        td_text_print(&text, " --tile %s", td_tile_text(run->tile, run->width).text);
    }
    if (result->kernel != TD_KERNEL_CELL) {
        td_text_print(&text, " --kernel %s", td_kernel_kind_names[result->kernel]);
    }
    if (run->schedule != TD_SCHEDULE_GRID) {
        td_text_print(&text, " --schedule %s", td_schedule_names[run->schedule]);
    }
    if (td_run_is_grouped(run)) {
        td_text_print(&text, " --set group=%u", run->group);
    }
    if (run->order != TD_ORDER_DESCENDING) {
        td_text_print(&text, " --set order=%s", td_order_names[run->order]);
    }
    for (size_t p = 0; p < run->workload->parameter_count; p++) {
        const td_parameter *parameter = &run->workload->parameters[p];
        if (parameter->is_tuned) {
            td_text_print(&text, " --%s %s", parameter->name,
                          td_parameter_text(parameter, run->problem.parameters[p]).text);
        }
    }
    snprintf(how, TD_HOW_SIZE, "%s", text.data != NULL ? text.data : "");
    td_text_free(&text);
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

td_status td_record_make(const td_group *group, const td_result *results, size_t index,
                         td_cache cache, const td_environment *environment, td_record *record,
                         td_error *error)
{
    const td_run *run = &group->runs[index];
    const td_result *result = &results[index];
    const td_environment all = all_devices(environment, result);
    const bool measured = result->sample_count > 0;
    *record = (td_record){
        .run = run,
        .result = result,
        .cache = cache,
        .reason = reason_of(run, result),
        /* a domain without work, such as N = 1 without its diagonal, has a plan of no grids */
        .planned =
            result->kernels > 0 || result->status == TD_RUN_OK || result->status == TD_RUN_PLANNED,
        .measured = measured,
        .time_ms = measured ? result->time_ms : td_unknown_summary(0),
        .improvement = result->baseline != NULL ? result->improvement : td_unknown_summary(0),
        .others =
            result->after.others >= 0 ? fmax(result->before.others, result->after.others) : NAN,
        .throttled = result->before.throttled == 1 ? 1 : result->after.throttled,
    };
    if (!add_energy(record)) {
        return td_fail(error, TD_NO_MEMORY, "out of memory for the statistics of %s", run->key);
    }
    record->gb_per_s = td_rate(result->bytes, &record->time_ms) * 1e-9;
    record->fraction_of_peak =
        all.peaks.fill_gb_per_s > 0 ? record->gb_per_s / all.peaks.fill_gb_per_s : NAN;
    record->roofline = td_roofline_make(run, result, &all, &record->time_ms);
    add_caveats(environment, record);
    if (is_mixed(group)) {
        td_how_text(run, result, record->how);
    }
    return TD_OK;
}
