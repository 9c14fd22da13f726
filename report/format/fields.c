/* fields.c - what is recorded of a run: a line per field, in the order of every output. */
#include "document.h"

#include <math.h>
#include <string.h>

#include "engine/bench/plain.h"
#include "engine/core/parameter.h"
#include "engine/options/parameters.h"
#include "engine/sweep/key.h"

/* ---- what only some workloads have: in JSON of the run's own workload, in CSV of all ---- */

void td_put_parameter(td_writer *w, const char *name, const td_parameter *parameter,
                      const td_value *value)
{
    if (parameter->kind == TD_PARAMETER_COUNT) {
        td_put_u64(w, name, value->count);
    } else if (parameter->kind == TD_PARAMETER_REAL) {
        td_put_double(w, name, value->real);
    } else {
        td_put_text(w, name, td_parameter_text(parameter, *value).text);
    }
}

/* The parameters that have a field; NULL after the last. */
static const td_parameter *parameter_at(const td_writer *w, const td_workload *workload, size_t p)
{
    return td_writer_is_csv(w)             ? td_parameter_option(p)
           : p < workload->parameter_count ? &workload->parameters[p]
                                           : NULL;
}

static void put_parameters(td_writer *w, const td_run *run)
{
    const td_parameter *any;
    td_section(w, "parameters", true);
    for (size_t p = 0; (any = parameter_at(w, run->workload, p)) != NULL; p++) {
        const td_parameter *own = td_workload_parameter(run->workload, any->name);
        if (own != NULL) {
            td_put_parameter(w, own->name, own,
                             &run->problem.parameters[own - run->workload->parameters]);
        } else {
            td_put_null(w, any->name);
        }
    }
}

static bool is_same_finding(const td_finding *a, const td_finding *b)
{
    return a->name != NULL && b->name != NULL && strcmp(a->name, b->name) == 0;
}

static void put_finding(td_writer *w, const td_record *record, const td_finding *finding)
{
    const td_value value = record->result->finding;
    if (!is_same_finding(finding, &record->run->workload->finding)) {
        td_put_null(w, finding->name);
    } else if (finding->kind == TD_FINDS_COUNT) {
        td_put_u64(w, finding->name, value.count);
    } else {
        td_put_exact_double(w, finding->name, value.real);
    }
}

static void put_findings(td_writer *w, const td_record *record)
{
    td_section(w, "result", record->result->has_finding);
    if (!td_writer_is_csv(w)) {
        put_finding(w, record, &record->run->workload->finding);
    }
    for (size_t i = 0; i < td_workload_count && td_writer_is_csv(w); i++) {
        const td_finding *finding = &td_workloads[i]->finding;
        size_t first = 0; /* workload with a finding of this name */
        while (first < i && !is_same_finding(&td_workloads[first]->finding, finding)) {
            first++;
        }
        if (finding->name != NULL && first == i) {
            put_finding(w, record, finding);
        }
    }
}

/* ---- the parts of a domain that is cut ---- */

/* Largest over mean: 1 if no part waits for another. */
static double imbalance(double largest, double sum, uint32_t count)
{
    return sum > 0.0 ? largest * count / sum : NAN;
}

static void put_parts(td_writer *w, const td_result *result)
{
    td_text parts = {0};
    for (uint32_t r = 0; r < result->part_count; r++) {
        const td_part_result *one = &result->part_results[r];
        td_next_element(&parts);
        td_writer part = td_writer_open(&parts, TD_JSON_LINE);
        td_put_text(&part, "host", one->host);
        td_put_text(&part, "gpu", one->gpu);
        td_put_u64(&part, "cells", one->cells);
        td_put_double(&part, "median_ms", one->median_ms);
        td_writer_close(&part);
    }
    td_put_array(w, "each", &parts);
}

static void put_ranks(td_writer *w, const td_run *run, const td_result *result)
{
    double cells = 0.0, most_cells = 0.0, ms = 0.0, most_ms = 0.0;
    for (uint32_t r = 0; r < result->part_count; r++) {
        const td_part_result *part = &result->part_results[r];
        cells += (double)part->cells;
        ms += part->median_ms;
        most_cells = fmax(most_cells, (double)part->cells);
        most_ms = fmax(most_ms, part->median_ms);
    }
    td_section(w, "ranks", run->parts > 0);
    td_put_u64(w, "count", run->parts);
    td_put_text(w, "partition", td_partition_names[run->partition]);
    td_put_text(w, "transport", result->transport);
    td_put_double(w, "imbalance", imbalance(most_cells, cells, result->part_count));
    td_put_double(w, "imbalance_time", imbalance(most_ms, ms, result->part_count));
    td_put_double(w, "exchange_ms", result->exchange_ms >= 0 ? result->exchange_ms : NAN);
    if (!td_writer_is_csv(w)) { /* an object for each rank is no field of a row */
        put_parts(w, result);
    }
}

/* ---- every run ---- */

static void put_run(td_writer *w, const td_record *record)
{
    const td_run *run = record->run;
    td_put_text(w, "key", run->key);
    td_put_text(w, "strategy", run->strategy->name);
    td_put_text(w, "workload", run->workload->name);
    td_put_text(w, "engine", run->engine->name);
    td_put_u64(w, "dimension", (uint64_t)run->workload->dimension);
    td_put_u64(w, "n", run->problem.n);
    td_put_dim3(w, "block", run->block);
    if (run->width != 0) { /* it is not square: "64x4" */
        td_put_text(w, "tile", td_tile_text(run->tile, run->width).text);
    } else {
        td_put_u64(w, "tile", run->tile);
    }
    td_put_text(w, "layout", td_layout_names[run->problem.layout]);
    td_put_u64(w, "seed", run->problem.seed);
    td_put_text(w, "schedule", td_schedule_names[run->schedule]);
    td_put_text(w, "kernel", td_kernel_kind_names[record->result->kernel]);
    td_put_text(w, "cache", td_cache_names[record->cache]);
    td_put_amount(w, "cutoff", run->cutoff);
    td_put_amount(w, "group", run->group);
    td_put_text(w, "order", run->strategy->looks_rows_up ? td_order_names[run->order] : NULL);
    put_parameters(w, run);
}

/* The kind of reference that verified the result: readers cannot know whether a workload from a file has one of its
 * own. */
static const char *verified_by(const td_run *run, const td_result *result)
{
    return result->verified == TD_VERIFIED_NONE                   ? NULL
           : td_is_proven_by_loop(run->workload, &run->problem)   ? "loop"
           : td_is_proven_by_output(run->workload, &run->problem) ? "file"
           : run->workload->sum != NULL                           ? "total"
                                                                  : "check";
}

/* What a plain loop shows, and what it cannot. */
static void put_open_questions(td_writer *w, const td_record *record)
{
    const td_result *result = record->result;
    const td_workload *workload = record->run->workload;
    const bool by_loop = result->verified != TD_VERIFIED_NONE &&
                         td_is_proven_by_loop(workload, &record->run->problem);
    const bool known = by_loop && td_shows_whole_output(record->run);
    const bool is_float = td_element_is_float(workload->element);
    td_put_text(w, "formula", by_loop ? "not checked" : NULL);
    td_put_count(w, "unwritten", known && td_shows_unwritten(workload), result->output.unwritten);
    td_put_text(w, "first_unwritten",
                result->first_unwritten[0] != '\0' ? result->first_unwritten : NULL);
    td_put_count(w, "not_finite", known && is_float, result->output.not_finite);
    td_put_double(w, "host_ulp",
                  by_loop && result->output.host_ulp >= 0.0 ? result->output.host_ulp : NAN);
}

/* A wave is as many blocks of a grid as the device works on at the same time; the last one may have fewer. */
static void put_waves(td_writer *w, const td_result *result)
{
    const uint64_t at_once = result->at_once;
    const uint64_t blocks = result->kernels > 0 ? result->blocks / result->kernels : 0;
    const uint64_t waves = at_once > 0 ? (blocks + at_once - 1) / at_once : 0;
    const uint64_t last = waves > 0 ? blocks - (waves - 1) * at_once : 0;
    td_put_count(w, "at_once", waves > 0, at_once);
    td_put_count(w, "waves", waves > 0, waves);
    td_put_double(w, "last_wave", waves > 0 ? (double)last / (double)at_once : NAN);
}

static void put_outcome(td_writer *w, const td_record *record)
{
    const td_result *result = record->result;
    const bool checked = result->verified != TD_VERIFIED_NONE;
    td_section(w, "launch", record->planned);
    td_put_u64(w, "kernels", result->kernels);
    td_put_u64(w, "blocks", result->blocks);
    td_put_u64(w, "blocks_needed", result->blocks_needed);
    td_put_u64(w, "blocks_wasted", result->blocks - result->blocks_needed);
    td_put_u64(w, "threads", result->threads);
    td_put_u64(w, "cells", result->cells);
    put_waves(w, result);
    td_section(w, "", true);
    td_put_text(w, "status", td_run_status_names[result->status]);
    td_put_text(w, "reason", record->reason);
    td_put_text(w, "started", td_time_text(result->started_unix_s).text);
    td_section(w, "verified", true);
    td_put_text(w, "status", td_verified_names[result->verified]);
    td_put_text(w, "by", verified_by(record->run, result));
    td_put_count(w, "checked", checked, result->checked);
    td_put_count(w, "mismatches", checked, result->mismatches);
    td_put_double(w, "max_abs_error", checked ? result->max_abs_error : NAN);
    put_open_questions(w, record);
    put_findings(w, record);
}

static void put_times(td_writer *w, const td_record *record)
{
    const td_result *result = record->result;
    const td_summary *time_ms = &record->time_ms;
    const uint32_t steps = td_workload_steps(record->run->workload, &record->run->problem);
    td_section(w, "time_ms", record->measured);
    td_put_double(w, "median", time_ms->median);
    td_put_interval(w, "ci95", time_ms->ci95);
    td_put_double(w, "min", time_ms->min);
    td_put_double(w, "max", time_ms->max);
    td_put_double(w, "mean", time_ms->mean);
    td_put_double(w, "stddev", time_ms->stddev);
    td_section(w, "", true);
    td_put_double(w, "per_step_ms", steps > 0 ? time_ms->median / steps : NAN);
    td_section(w, "samples", record->measured);
    td_put_u64(w, "count", result->sample_count);
    td_put_u64(w, "warmup", result->warmup);
    td_put_u64(w, "batch", result->batch);
    td_put_measured(w, "precision", result->precision);
    td_put_double(w, "half_width", td_half_width(time_ms));
    td_put_text(w, "timing", td_sampling_names[result->sampling]);
    td_put_bool(w, "graph", result->graph);
    td_put_doubles(w, "ms", result->sample_ms, result->sample_count);
}

static void put_rates(td_writer *w, const td_record *record)
{
    const td_result *result = record->result;
    const td_roofline *roofline = &record->roofline;
    const td_workload *workload = record->run->workload;
    const bool has_model = td_workload_has_model(workload);
    const bool has_flops = record->planned && (workload->own == NULL || workload->model.flops ||
                                               workload->model.int_ops > 0);
    td_section(w, "throughput", true);
    td_put_double(w, "cells_per_s", td_rate(result->cells, &record->time_ms));
    td_put_amount(w, "bytes", result->bytes);
    td_put_double(w, "gb_per_s", record->gb_per_s);
    td_put_double(w, "fraction_of_peak", record->fraction_of_peak);
    td_put_count(w, "flops", has_flops, result->flops);
    td_put_double(w, "flops_per_s", has_model ? td_rate(result->flops, &record->time_ms) : NAN);
    td_section(w, "roofline", record->planned && has_model);
    td_put_u64(w, "bytes", roofline->bytes);
    td_put_text(w, "arithmetic", roofline->arithmetic);
    td_put_u64(w, "operations", roofline->operations);
    td_put_double(w, "operations_per_byte", roofline->intensity);
    td_put_double(w, "gop_per_s", roofline->gop_per_s);
    td_put_text(w, "ceiling", roofline->ceiling);
    td_put_double(w, "bound_ms", roofline->bound_ms);
    td_put_double(w, "fraction_of_bound", roofline->fraction);
    td_section(w, "", true);
    td_put_text(w, "caveats", record->caveats);
    td_put_count(w, "working_set_bytes", record->planned, result->working_set_bytes);
    td_section(w, "storage", record->planned && result->stored_bytes > 0);
    td_put_u64(w, "stored_bytes", result->stored_bytes);
    td_put_u64(w, "needed_bytes", result->needed_bytes);
}

static void put_device(td_writer *w, const td_record *record)
{
    const td_telemetry *after = &record->result->after;
    const td_energy *energy = &record->result->energy;
    td_section(w, "device_state", record->measured);
    td_put_measured(w, "sm_mhz", after->sm_mhz);
    td_put_measured(w, "memory_mhz", after->memory_mhz);
    td_put_double(w, "temperature_c", after->temperature_c >= 0 ? after->temperature_c : NAN);
    td_put_measured(w, "power_w", after->power_w);
    td_put_double(w, "other_processes", record->others);
    td_put_maybe(w, "throttled", record->throttled);
    td_section(w, "", true);
    td_put_double(w, "energy_j", record->launch_j.median);
    td_section(w, "energy", record->measured && energy->asked);
    td_put_double(w, "launch_j", record->launch_j.median);
    td_put_interval(w, "ci95", record->launch_j.ci95);
    td_put_double(w, "nj_per_cell", record->nj_per_cell.median);
    td_put_interval(w, "nj_per_cell_ci95", record->nj_per_cell.ci95);
    td_put_double(w, "power_w", energy->windows > 0 ? energy->joules / energy->seconds : NAN);
    td_put_u64(w, "launches", energy->launches);
    td_put_double(w, "seconds", energy->seconds);
    td_put_text(w, "reason", energy->reason);
}

void td_put_fields(td_writer *w, const td_record *record)
{
    put_run(w, record);
    put_outcome(w, record);
    put_times(w, record);
    put_rates(w, record);
    put_ranks(w, record->run, record->result);
    td_section(w, "improvement", record->result->baseline != NULL);
    td_put_text(w, "baseline", record->result->baseline);
    td_put_double(w, "factor", record->improvement.median);
    td_put_interval(w, "ci95", record->improvement.ci95);
    td_section(w, "", true);
    put_device(w, record);
}
