#include "verification.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/core/error.h"

/* Between a sum and its reference, relative to the scale of the reference. */
#define TOTAL_TOLERANCE 1e-10

/* Visits are counted in the grids of another workload, cell by cell where they have no kernel for tiles. */
static td_kernel_kind kernel_for(const td_run *run, const td_workload *workload)
{
    if (run->tiled && workload->has_tiles && run->engine->can.tile_kernels) {
        return TD_KERNEL_TILE;
    }
    return td_strategy_tile_is_block(run->strategy, run->tile, run->block) ? TD_KERNEL_CELL
                                                                           : TD_KERNEL_LOOP;
}

td_kernel_kind td_kernel_of(const td_run *run)
{
    return kernel_for(run, run->workload);
}

uint32_t td_run_launches(const td_run *run)
{
    const uint32_t per_launch = td_launch_generations(run->engine, run->workload);
    return per_launch > 0 ? td_ceil_div(td_workload_steps(run->workload, &run->problem), per_launch)
                          : 1;
}

td_execution td_execution_of(const td_buffers *buffers, const td_run *run, const td_plan *plan)
{
    td_execution execution = {
        .strategy = run->strategy,
        .workload = buffers->workload,
        .plan = plan,
        .kernel = kernel_for(run, buffers->workload),
        .schedule = run->schedule,
        .cutoff = run->cutoff,
        .data = buffers->data,
        .steps = td_run_launches(run),
        .generations = td_workload_steps(buffers->workload, &buffers->problem),
        .per_launch = td_launch_generations(run->engine, buffers->workload),
        .double_buffer = {buffers->output[0].output, buffers->output[1].output},
    };
    td_problem problem = buffers->problem;
    problem.tile = run->tile; /* strategies of one group may differ in it */
    run->workload->setup(&problem, &execution.data);
    return execution;
}

/* The states of the reference, generation by generation; once for all strategies of a group. */
static td_status advance_reference(td_buffers *b, td_error *error)
{
    td_data data = b->data;
    for (uint32_t step = 0; step < td_workload_steps(b->workload, &b->problem); step++) {
        data.input = b->reference[step % 2];
        data.output = b->reference[(step + 1) % 2];
        TRY(b->engine->ops->for_each_cell(b->engine, b->workload, TD_TASK_REFERENCE, &data, error));
    }
    b->reference_ready = true;
    return TD_OK;
}

/* The reference of a sum; once for all strategies of a group. The input is made again: the host's copy is gone. */
static td_status total_reference(td_buffers *b, td_error *error)
{
    void *input = malloc(b->input_bytes > 0 ? b->input_bytes : 1);
    if (input == NULL) {
        return td_fail(error, TD_NO_MEMORY,
                       "cannot allocate %llu bytes on the host for the input of %s",
                       (unsigned long long)b->input_bytes, b->workload->name);
    }
    if (b->input_bytes > 0) {
        b->workload->fill(&b->problem, input);
    }
    b->total = b->workload->total(&b->problem, input, &b->scale);
    b->reference_ready = true;
    free(input);
    return TD_OK;
}

/* One number stands for all cells: counting visits shows that each was in it. */
static td_status check_total(td_buffers *b, td_check_counts *counts, td_result *result,
                             td_error *error)
{
    if (!b->reference_ready) {
        TRY(total_reference(b, error));
    }
    TRY(b->engine->ops->download(b->engine, &result->finding.real, b->data.output, sizeof(double),
                                 error));
    if (!isfinite(b->total) || !isfinite(b->scale)) {
        return td_fail(error, TD_FAILED, "%s: the sum over this input is not finite",
                       b->workload->name);
    }
    result->has_finding = isfinite(result->finding.real);
    counts->checked = td_workload_cells(b->workload, &b->problem);
    counts->max_abs_error = fabs(result->finding.real - b->total);
    counts->mismatches = !(counts->max_abs_error <= TOTAL_TOLERANCE * b->scale); /* of a NaN, too */
    return TD_OK;
}

static td_status check_result(td_buffers *b, td_check_counts *counts, td_error *error)
{
    td_data data = b->data;
    if (b->workload->generations > 0) {
        data.expected = b->reference[td_workload_steps(b->workload, &b->problem) % 2];
        data.output = (void *)(uintptr_t)td_buffers_result(b);
    }
    return b->engine->ops->check(b->engine, b->workload, &data, counts, error);
}

/* The number that a workload finds while it is checked. */
static void note_finding(const td_workload *workload, const td_check_counts *counts,
                         td_result *result)
{
    if (workload->finding.kind == TD_FINDS_COUNT) {
        result->has_finding = true;
        result->finding.count = counts->found;
    }
}

/* An engine whose check leaves cells out has shown nothing about them. */
static bool is_complete(const td_buffers *b, const td_check_counts *counts)
{
    return counts->checked == td_workload_cells(b->workload, &b->problem);
}

static void conclude(const td_buffers *b, const td_check_counts *counts, uint64_t guards,
                     td_result *result)
{
    const char *workload = b->workload->name;
    const bool complete = is_complete(b, counts);
    result->checked = counts->checked;
    result->mismatches = counts->mismatches + counts->touched_outside + guards;
    /* of two verifications, the larger */
    result->max_abs_error = fmax(result->max_abs_error, counts->max_abs_error);
    result->verified = result->mismatches == 0 && complete ? TD_VERIFIED_PASS : TD_VERIFIED_FAIL;
    if (result->verified == TD_VERIFIED_FAIL) {
        result->error = TD_WRONG;
        result->status = TD_RUN_FAILED;
    }
    if (!complete) {
        snprintf(result->reason, sizeof result->reason,
                 "%s: the check compared %llu cells, the domain has %llu", workload,
                 (unsigned long long)counts->checked,
                 (unsigned long long)td_workload_cells(b->workload, &b->problem));
    } else if (result->verified == TD_VERIFIED_FAIL) {
        snprintf(result->reason, sizeof result->reason,
                 "%s: %llu of %llu cells are wrong, %llu bytes outside of the domain and %llu of "
                 "the guard zones were written",
                 workload, (unsigned long long)counts->mismatches,
                 (unsigned long long)counts->checked, (unsigned long long)counts->touched_outside,
                 (unsigned long long)guards);
    }
}

td_status td_verify(td_buffers *buffers, const td_execution *execution, td_result *result,
                    td_error *error)
{
    td_check_counts counts = {0};
    uint64_t guards = 0;
    if (buffers->workload->generations > 0 && !buffers->reference_ready) {
        TRY(advance_reference(buffers, error)); /* first: the poison of bits depends on it */
    }
    TRY(td_buffers_poison(buffers, error));
    TRY(buffers->engine->ops->launch(buffers->engine, execution, error));
    if (buffers->workload->total != NULL) {
        TRY(check_total(buffers, &counts, result, error));
    } else {
        TRY(check_result(buffers, &counts, error));
    }
    TRY(td_buffers_guards(buffers, &guards, error));
    note_finding(buffers->workload, &counts, result);
    conclude(buffers, &counts, guards, result);
    return TD_OK;
}
