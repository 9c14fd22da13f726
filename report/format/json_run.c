/* json_run.c - a run as a JSON object: the same keys whatever happened, null where there is
 * nothing. */
#include "json.h"

#include <stdio.h>

#include "engine/core/parameter.h"
#include "json_value.h"

static void measured(td_json_object object, const char *name, double value)
{
    td_json_add_double(object, name, value, TD_DIGITS_MEASURED);
}

static void interval(td_json_object object, td_interval ci95)
{
    const double bounds[] = {ci95.low, ci95.high};
    if (ci95.known) {
        td_json_add_doubles(object, "ci95", bounds, 2);
    } else {
        td_json_add_null(object, "ci95");
    }
}

static void add_block(td_json_object run, td_dim3 block)
{
    const double sides[] = {block.x, block.y, block.z};
    td_json_add_doubles(run, "block", sides, 3);
}

static void add_parameters(td_json_object run, const td_run *r)
{
    const td_workload *w = r->workload;
    const td_json_object parameters = td_json_add_object(run, "parameters");
    for (size_t p = 0; p < w->parameter_count; p++) {
        const td_value value = r->problem.parameters[p];
        char text[TD_VALUE_SIZE];
        if (w->parameters[p].kind == TD_PARAMETER_COUNT) {
            td_json_add_u64(parameters, w->parameters[p].name, value.count);
        } else if (w->parameters[p].kind == TD_PARAMETER_REAL) {
            measured(parameters, w->parameters[p].name, value.real);
        } else {
            td_parameter_text(&w->parameters[p], value, text);
            td_json_add_text(parameters, w->parameters[p].name, text);
        }
    }
}

static void add_identity(td_json_object run, const td_record *record)
{
    const td_run *r = record->run;
    td_json_add_text(run, "key", r->key);
    td_json_add_text(run, "strategy", r->strategy->name);
    td_json_add_text(run, "workload", r->workload->name);
    td_json_add_text(run, "engine", r->engine->name);
    td_json_add_u64(run, "dimension", (uint64_t)r->workload->dimension);
    td_json_add_u64(run, "n", r->problem.n);
    add_block(run, r->block);
    td_json_add_u64(run, "tile", r->tile);
    td_json_add_text(run, "layout", td_layout_name(r->problem.layout));
    td_json_add_u64(run, "seed", r->problem.seed);
    td_json_add_text(run, "schedule", td_schedule_name(r->schedule));
    td_json_add_text(run, "kernel", td_kernel_kind_name(record->result->kernel));
    td_json_add_text(run, "cache", td_cache_name(record->cache));
    td_json_add_known_u64(run, "cutoff", r->cutoff);
    add_parameters(run, r);
}

static void add_launch(td_json_object run, const td_record *record)
{
    const td_result *r = record->result;
    if (!record->planned) {
        td_json_add_null(run, "launch");
        return;
    }
    const td_json_object launch = td_json_add_object(run, "launch");
    td_json_add_u64(launch, "kernels", r->kernels);
    td_json_add_u64(launch, "blocks", r->blocks);
    td_json_add_u64(launch, "blocks_needed", r->blocks_needed);
    td_json_add_u64(launch, "blocks_wasted", r->blocks - r->blocks_needed);
    td_json_add_u64(launch, "threads", r->threads);
    td_json_add_u64(launch, "cells", r->cells);
}

static void add_verified(td_json_object run, const td_result *r)
{
    const td_json_object verified = td_json_add_object(run, "verified");
    td_json_add_text(verified, "status", td_verified_name(r->verified));
    if (r->verified == TD_VERIFIED_NONE) {
        td_json_add_null(verified, "checked");
        td_json_add_null(verified, "mismatches");
        td_json_add_null(verified, "max_abs_error");
        return;
    }
    td_json_add_u64(verified, "checked", r->checked);
    td_json_add_u64(verified, "mismatches", r->mismatches);
    measured(verified, "max_abs_error", r->max_abs_error);
}

/* What the workload itself computed, where that is one number. */
static void add_result(td_json_object run, const td_record *record)
{
    const td_result *r = record->result;
    const td_finding *finding = &record->run->workload->finding;
    if (!r->has_finding) {
        td_json_add_null(run, "result");
        return;
    }
    const td_json_object result = td_json_add_object(run, "result");
    if (finding->kind == TD_FINDS_COUNT) {
        td_json_add_u64(result, finding->name, r->finding.count);
    } else {
        td_json_add_double(result, finding->name, r->finding.real, TD_DIGITS_ALL);
    }
}

static void add_time(td_json_object run, const td_record *record)
{
    const td_summary *s = &record->time_ms;
    if (!record->measured) {
        td_json_add_null(run, "time_ms");
        return;
    }
    const td_json_object time = td_json_add_object(run, "time_ms");
    measured(time, "median", s->median);
    interval(time, s->ci95);
    measured(time, "min", s->min);
    measured(time, "max", s->max);
    measured(time, "mean", s->mean);
    measured(time, "stddev", s->stddev);
}

static void add_samples(td_json_object run, const td_record *record)
{
    const td_result *r = record->result;
    if (!record->measured) {
        td_json_add_null(run, "samples");
        return;
    }
    const td_json_object samples = td_json_add_object(run, "samples");
    td_json_add_u64(samples, "count", r->sample_count);
    td_json_add_u64(samples, "warmup", r->warmup);
    td_json_add_u64(samples, "batch", r->batch);
    td_json_add_bool(samples, "graph", r->graph);
    td_json_add_doubles(samples, "ms", r->sample_ms, r->sample_count);
}

static void add_amount(td_json_object object, const char *name, uint64_t value, bool known)
{
    if (known) {
        td_json_add_u64(object, name, value);
    } else {
        td_json_add_null(object, name);
    }
}

static void add_throughput(td_json_object run, const td_record *record)
{
    const td_json_object throughput = td_json_add_object(run, "throughput");
    measured(throughput, "cells_per_s", record->cells_per_s);
    add_amount(throughput, "bytes", record->result->bytes, record->planned);
    measured(throughput, "gb_per_s", record->gb_per_s);
    measured(throughput, "fraction_of_peak", record->fraction_of_peak);
    add_amount(throughput, "flops", record->result->flops, record->planned);
    measured(throughput, "flops_per_s", record->flops_per_s);
}

static void add_improvement(td_json_object run, const td_record *record)
{
    if (record->baseline == NULL) {
        td_json_add_null(run, "improvement");
        return;
    }
    const td_json_object improvement = td_json_add_object(run, "improvement");
    td_json_add_text(improvement, "baseline", record->baseline);
    measured(improvement, "factor", record->improvement.median);
    interval(improvement, record->improvement.ci95);
}

static void add_device_state(td_json_object run, const td_record *record)
{
    if (!record->measured) {
        td_json_add_null(run, "device_state");
        return;
    }
    const td_json_object state = td_json_add_object(run, "device_state");
    measured(state, "sm_mhz", record->device.sm_mhz);
    measured(state, "memory_mhz", record->device.memory_mhz);
    measured(state, "temperature_c", record->device.temperature_c);
    measured(state, "power_w", record->device.power_w);
    td_json_add_bool(state, "throttled", record->device.throttled == 1);
}

void td_json_run(const td_record *record, bool is_line, td_text *text)
{
    bool failed = false;
    const td_json_object run = td_json_new(&failed);
    if (is_line) {
        td_json_add_text(run, "type", "run");
    }
    add_identity(run, record);
    add_launch(run, record);
    td_json_add_text(run, "status", td_run_status_name(record->result->status));
    td_json_add_text(run, "reason", record->reason);
    add_verified(run, record->result);
    add_result(run, record);
    add_time(run, record);
    measured(run, "per_step_ms", record->per_step_ms);
    add_samples(run, record);
    add_throughput(run, record);
    add_amount(run, "working_set_bytes", record->result->working_set_bytes, record->planned);
    add_improvement(run, record);
    add_device_state(run, record);
    measured(run, "energy_j", record->energy_j);
    td_json_finish(run, text);
}
