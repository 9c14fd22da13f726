#include "verify.h"

#include <stdio.h>

#include "try.h"

td_kernel_kind td_kernel_of(const td_run *run)
{
    if (run->tiled && run->engine != TD_ENGINE_CPU) {
        return TD_KERNEL_TILE;
    }
    const bool walks = run->strategy->unit == TD_MAPS_BLOCKS &&
                       (run->tile != run->block.x || run->tile != run->block.y);
    return walks ? TD_KERNEL_LOOP : TD_KERNEL_CELL;
}

uint32_t td_run_launches(const td_run *run)
{
    return run->workload->steps ? td_ceil_div(run->problem.steps, run->workload->generations) : 1;
}

td_job td_job_of(const td_buffers *buffers, const td_run *run, const td_plan *plan)
{
    td_job job = {
        .strategy = run->strategy,
        .workload = buffers->workload,
        .plan = plan,
        .kernel = td_kernel_of(run),
        .schedule = run->schedule,
        .cutoff = run->cutoff,
        .data = buffers->data,
        .steps = td_run_launches(run),
        .generations = buffers->problem.steps,
        .state = {buffers->output[0].output, buffers->output[1].output},
    };
    return job;
}

/* The states of the reference, generation by generation; once for all strategies of a group. */
static td_status advance_reference(td_buffers *b, td_error *error)
{
    td_data data = b->data;
    for (uint32_t step = 0; step < b->problem.steps; step++) {
        data.input = b->reference[step % 2];
        data.output = b->reference[(step + 1) % 2];
        TRY(b->engine->ops->visit(b->engine, b->workload, TD_VISIT_REFERENCE, &data, error));
    }
    b->reference_ready = true;
    return TD_OK;
}

static td_status check_result(td_buffers *b, td_tally *tally, td_error *error)
{
    td_data data = b->data;
    if (b->workload->steps) {
        if (!b->reference_ready) {
            TRY(advance_reference(b, error));
        }
        data.expected = b->reference[b->problem.steps % 2];
        data.output = (void *)(uintptr_t)td_buffers_result(b);
    }
    return b->engine->ops->check(b->engine, b->workload, &data, tally, error);
}

static void judge(const td_tally *tally, uint64_t guards, const char *workload, td_result *result)
{
    result->checked = tally->checked;
    result->mismatches = tally->mismatches + tally->touched_outside + guards;
    result->max_abs_error = tally->max_abs_error;
    result->tally = tally->tally;
    result->verified = result->mismatches == 0 ? TD_VERIFIED_PASS : TD_VERIFIED_FAIL;
    if (result->verified == TD_VERIFIED_FAIL) {
        result->error = TD_WRONG;
        result->status = TD_RUN_FAILED;
        snprintf(result->reason, sizeof result->reason,
                 "%s: %llu of %llu cells are wrong, %llu bytes outside of the domain and %llu of "
                 "the guard zones were written",
                 workload, (unsigned long long)tally->mismatches,
                 (unsigned long long)tally->checked, (unsigned long long)tally->touched_outside,
                 (unsigned long long)guards);
    }
}

td_status td_verify(td_buffers *buffers, const td_job *job, td_result *result, td_error *error)
{
    td_tally tally = {0};
    uint64_t guards = 0;
    TRY(td_buffers_poison(buffers, error));
    TRY(buffers->engine->ops->launch(buffers->engine, job, error));
    TRY(check_result(buffers, &tally, error));
    TRY(td_buffers_guards(buffers, &guards, error));
    judge(&tally, guards, buffers->workload->name, result);
    return TD_OK;
}
