#include "execution.h"

#include <stdlib.h>

#include "engine/core/error.h"
#include "planning.h"

/* The workload that counts visits runs in the grids of another workload: cell by cell if it has no kernel for tiles. */
static td_kernel_kind kernel_for(const td_run *run, const td_workload *workload)
{
    if (run->tiled && workload->tiles != NULL && run->engine->can.tile_kernels) {
        return TD_KERNEL_TILE;
    }
    return td_strategy_tile_is_block(run->strategy, run->tile, run->width, run->block)
               ? TD_KERNEL_CELL
               : TD_KERNEL_LOOP;
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
    problem.tile = run->tile; /* strategies of one group may have different tiles */
    td_workload_setup(run->workload, &problem, &execution.data);
    if (execution.per_launch > 0) {
        execution.halo = td_run_halo(run, td_row_bytes, execution.per_launch);
        execution.state_halo = td_run_halo(run, td_state_row_bytes, 1);
    }
    return execution;
}

void td_run_counts(const td_run *run, const td_plan *plan, td_result *result)
{
    const uint64_t steps = td_run_launches(run);
    const uint64_t generations =
        run->workload->automaton != NULL ? td_workload_steps(run->workload, &run->problem) : 1;
    const td_problem part = td_run_problem(run);
    const td_domain domain = td_run_domain(run);
    const uint64_t tiles = td_domain_columns(&domain) * td_domain_bands(&domain, 0, domain.tiles);
    result->kernels = plan->count * steps;
    result->blocks = plan->blocks * steps;
    result->blocks_needed = td_run_is_square(run) ? tiles * steps : plan->blocks_needed * steps;
    result->threads = plan->threads * steps;
    result->cells = td_workload_cells(run->workload, &run->problem) * generations;
    result->kernel = kernel_for(run, run->workload);
    result->bytes = td_workload_bytes(run->workload, &run->problem);
    result->flops = td_workload_flops(run->workload, &run->problem);
    result->int_ops = td_workload_int_ops(run->workload, &run->problem);
    result->launch_bytes = generations > 0 ? result->bytes / generations * steps : 0;
    result->passes = steps;
    if (run->workload->traits.has_layouts || run->workload->traits.has_blocked) {
        const uint64_t element = td_element_bytes(run->workload->element);
        result->stored_bytes = td_workload_output_elements(run->workload, &run->problem) * element;
        result->needed_bytes = td_workload_cells(run->workload, &run->problem) * element;
    }
    result->working_set_bytes = td_buffers_bytes(run->workload, &part) + plan->table_bytes;
    result->exchange_ms = -1.0;
}

/* The executions of the runs whose workload is from a file. One that cannot be planned is left out; it fails when its
 * turn comes. Returns their number. */
static size_t plan_all(const td_sweep *sweep, td_execution *executions, td_plan *plans)
{
    size_t count = 0;
    for (size_t r = 0; r < sweep->run_count; r++) {
        const td_run *run = &sweep->runs[r];
        const td_buffers none = {.workload = run->workload, .problem = td_run_problem(run)};
        if (run->workload->own != NULL && run->skip[0] == '\0' &&
            td_run_plan(run, true, &plans[count], NULL) == TD_OK) {
            executions[count] = td_execution_of(&none, run, &plans[count]);
            count++;
        }
    }
    return count;
}

td_status td_load_own(td_engine *engine, const td_sweep *sweep, td_error *error)
{
    td_execution *executions = calloc(sweep->run_count + 1, sizeof *executions);
    td_plan *plans = calloc(sweep->run_count + 1, sizeof *plans);
    size_t count = 0;
    td_status status = TD_OK;
    if (executions == NULL || plans == NULL) {
        status = td_fail(error, TD_NO_MEMORY, "not enough memory for the plans");
    } else if (engine->ops->load != NULL) {
        count = plan_all(sweep, executions, plans);
        status = count > 0 ? engine->ops->load(engine, executions, count, error) : TD_OK;
    }
    for (size_t i = 0; i < count; i++) {
        td_plan_free(&plans[i]);
    }
    free(plans);
    free(executions);
    return status;
}
