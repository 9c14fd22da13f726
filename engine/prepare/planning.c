#include "planning.h"

#include "engine/core/error.h"

td_domain td_domain_of(uint32_t cells, uint32_t tile, td_dim3 block, uint32_t cutoff)
{
    return (td_domain){
        .cells = cells,
        .tiles = td_ceil_div(cells, tile),
        .tile = tile,
        .block = block,
        .cutoff = cutoff,
    };
}

td_domain td_run_domain(const td_run *run)
{
    const bool banded = run->width != 0 && td_workload_takes_bands(run->workload);
    td_domain domain =
        td_domain_of(run->problem.n, banded ? run->width : run->tile, run->block, run->cutoff);
    domain.group = run->group;
    domain.order = run->order;
    domain.rows = run->rows;
    domain.batch = td_workload_batch(run->workload, &run->problem);
    domain.lengths = run->problem.lengths;
    domain.width = banded ? 0 : run->width;
    domain.bands = banded ? run->width / run->tile : 1;
    domain.no_diagonal = run->workload->traits.no_diagonal;
    return domain;
}

/* ---- its part, if the domain is cut ---- */

static td_part part_of(const td_run *run, uint32_t index)
{
    const td_domain domain = td_run_domain(run);
    return run->parts > 0 ? td_part_of(run->partition, &domain, index, run->parts)
                          : td_part_of(TD_BY_ROWS, &domain, 0, 1);
}

td_share td_run_share(const td_run *run)
{
    const td_domain domain = td_run_domain(run);
    const td_part part = part_of(run, run->part);
    return td_part_share(&domain, &part);
}

td_problem td_run_problem(const td_run *run)
{
    td_problem problem = run->problem;
    const td_share share = td_run_share(run);
    if (run->parts > 1) {
        /* a share without rows keeps one row, which is not computed here */
        problem.first_row = share.first_row < problem.n ? share.first_row : problem.n - 1;
        problem.end_row = share.end_row > problem.first_row ? share.end_row : problem.first_row + 1;
    }
    return problem;
}

static bool has_rows(const td_run *run, uint32_t index)
{
    const td_part part = part_of(run, index);
    return part.first < part.end;
}

/* The nearest part above (side 0) or below (side 1) with rows of an automaton's domain; -1: none. */
static int neighbour(const td_run *run, int side)
{
    const int step = side == 0 ? -1 : 1, parts = (int)run->parts;
    const bool exchanges = run->workload->automaton != NULL && has_rows(run, run->part);
    for (int part = (int)run->part + step; exchanges && part >= 0 && part < parts; part += step) {
        if (has_rows(run, (uint32_t)part)) {
            return part;
        }
    }
    return -1;
}

uint64_t td_row_bytes(const td_workload *workload, const td_problem *problem, uint32_t row)
{
    td_data data = {0};
    const size_t element = td_element_bytes(workload->element);
    if (workload->automaton != NULL) {
        return td_workload_row_element(workload, problem, row) * element;
    }
    td_workload_setup(workload, problem, &data);
    return td_row_start(&data, row) * element;
}

/* The `depth` rows of an automaton that are exchanged with each neighbour after each launch: in the reference's
 * storage, or in its own. */
static td_halo halo_of(const td_run *run, bool of_reference, uint32_t depth)
{
    const td_share share = td_run_share(run);
    const uint32_t first = share.first_row, end = share.end_row, n = run->problem.n;
    const uint32_t give = end - first < depth ? end - first : depth;
    const uint32_t take = n - end < depth ? n - end : depth;
    const uint32_t rows[2][4] = {{first, first + give, first - depth, first},
                                 {end - give, end, end, end + take}}; /* to give, to take */
    td_halo halo = {.exists = false};
    for (int side = 0; side < 2; side++) {
        const int with = neighbour(run, side);
        uint64_t at[4] = {0};
        for (int i = 0; with >= 0 && i < 4; i++) {
            const uint32_t row = rows[side][i];
            at[i] =
                of_reference ? td_triangle(row) : td_row_bytes(run->workload, &run->problem, row);
        }
        halo.side[side] = (td_halo_rows){with, at[0], at[1] - at[0], at[2], at[3] - at[2]};
        halo.exists = halo.exists || with >= 0;
    }
    return halo;
}

/* ---- its plan ---- */

static td_status beyond_range(const td_strategy *s, const td_domain *domain, td_error *error)
{
    const uint32_t n = td_strategy_n(s, domain);
    const td_strategy *exact = td_strategy_stand_in(s->dimension, n);
    return td_fail(
        error, TD_USAGE,
        "%s is exact up to %u %s per side, this run has %u: use %s%sa larger --tile or --block, "
        "or --verify beyond to see what goes wrong",
        s->name, s->exact_n, s->unit == TD_MAPS_THREADS ? "cells" : "tiles", n,
        exact != NULL ? exact->name : "", exact != NULL ? ", " : "");
}

td_status td_strategy_check_range(const td_strategy *strategy, const td_domain *domain,
                                  td_error *error)
{
    return td_plan_is_in_range(strategy, domain) ? TD_OK : beyond_range(strategy, domain, error);
}

static td_status explain(td_plan_status made, const td_strategy *strategy, const td_domain *domain,
                         td_error *error)
{
    switch (made) {
    case TD_PLAN_BEYOND_RANGE:
        return beyond_range(strategy, domain, error);
    case TD_PLAN_TOO_MANY_LAUNCHES:
        return strategy->uses_cutoff
                   ? td_fail(
                         error, TD_USAGE,
                         "%s needs more than %d launches with --cutoff %u: use a larger --cutoff",
                         strategy->name, TD_MOST_LAUNCHES, domain->cutoff)
                   : td_fail(error, TD_USAGE, "%s needs more than %d launches", strategy->name,
                             TD_MOST_LAUNCHES);
    case TD_PLAN_NO_MEMORY:
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the grids of %s",
                       strategy->name);
    default:
        return TD_OK;
    }
}

td_status td_strategy_plan(const td_strategy *strategy, const td_domain *domain, bool inexact,
                           td_plan *plan, td_error *error)
{
    return explain(td_plan_make(strategy, domain, inexact, plan), strategy, domain, error);
}

td_status td_run_plan(const td_run *run, bool inexact, td_plan *plan, td_error *error)
{
    const td_domain domain = td_run_domain(run);
    const td_part part = part_of(run, run->part);
    /* whether the first, and the last, row of tiles go to a neighbour in every step */
    const bool edges[2] = {neighbour(run, 0) >= 0, neighbour(run, 1) >= 0};
    return explain(td_plan_make_part(run->strategy, &domain, &part, edges, inexact, plan),
                   run->strategy, &domain, error);
}

td_status td_plan_copy_table(td_engine *engine, td_plan *plan, td_error *error)
{
    void *copy = NULL;
    if (plan->table == NULL || !engine->ops->can.device_memory) {
        return TD_OK;
    }
    TRY(engine->ops->allocate(engine, plan->table_bytes, &copy, error));
    td_plan_use_copy(plan, copy);
    return engine->ops->upload(engine, copy, plan->table, plan->table_bytes, error);
}

td_status td_plan_for(td_engine *engine, const td_run *run, bool inexact, td_plan *plan,
                      td_error *error)
{
    TRY(td_run_plan(run, inexact, plan, error));
    return td_plan_copy_table(engine, plan, error);
}

void td_plan_release(td_engine *engine, td_plan *plan)
{
    engine->ops->release(engine, plan->table_copy);
    td_plan_free(plan);
}

/* ---- its execution ---- */

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

uint32_t td_launch_generations(const td_engine_ops *engine, const td_workload *workload)
{
    const bool cell_by_cell = workload->tiles != NULL && !engine->can.tile_kernels;
    const uint32_t generations = td_workload_generations(workload);
    return cell_by_cell && generations > 1 ? 1 : generations;
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
        execution.halo = halo_of(run, false, execution.per_launch);
        execution.state_halo = halo_of(run, true, 1);
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
    if (run->workload->traits.has_layouts) {
        const uint64_t element = td_element_bytes(run->workload->element);
        result->stored_bytes = td_workload_output_elements(run->workload, &run->problem) * element;
        result->needed_bytes = run->problem.layout == TD_MIRRORED
                                   ? result->stored_bytes
                                   : td_workload_cells(run->workload, &run->problem) * element;
    }
    result->working_set_bytes = td_buffers_bytes(run->workload, &part) + plan->table_bytes;
    result->exchange_ms = -1.0;
}
