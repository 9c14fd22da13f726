#include "planning.h"

#include "buffers.h"
#include "verification.h"

td_domain td_domain_of(uint32_t cells, uint32_t tile, td_dim3 block, uint32_t cutoff)
{
    const td_domain domain = {
        .cells = cells,
        .tiles = td_ceil_div(cells, tile),
        .tile = tile,
        .block = block,
        .cutoff = cutoff,
    };
    return domain;
}

td_domain td_run_domain(const td_run *run)
{
    td_domain domain = td_domain_of(run->problem.n, run->tile, run->block, run->cutoff);
    domain.no_diagonal = run->workload->no_diagonal;
    return domain;
}

static td_status beyond_range(const td_strategy *s, uint32_t n, td_error *error)
{
    const td_strategy *exact = td_strategy_stand_in(s->dimension, n);
    return td_fail(
        error, TD_USAGE,
        "%s is exact up to %u %s per side, this run has %u: use %s%sa larger --tile or --block, "
        "or --inexact to see what goes wrong",
        s->name, s->exact_n, s->unit == TD_MAPS_THREADS ? "cells" : "tiles", n,
        exact != NULL ? exact->name : "", exact != NULL ? ", " : "");
}

td_status td_strategy_check_range(const td_strategy *strategy, const td_domain *domain,
                                  td_error *error)
{
    return td_plan_is_in_range(strategy, domain)
               ? TD_OK
               : beyond_range(strategy, td_strategy_n(strategy, domain), error);
}

td_status td_strategy_plan(const td_strategy *strategy, const td_domain *domain, bool inexact,
                           td_plan *plan, td_error *error)
{
    switch (td_plan_make(strategy, domain, inexact, plan)) {
    case TD_PLAN_BEYOND_RANGE:
        return beyond_range(strategy, td_strategy_n(strategy, domain), error);
    case TD_PLAN_TOO_MANY_LAUNCHES:
        return td_fail(error, TD_USAGE,
                       "%s needs more than %d launches with --cutoff %u: use a larger --cutoff",
                       strategy->name, TD_MOST_LAUNCHES, domain->cutoff);
    case TD_PLAN_NO_MEMORY:
        return td_fail(error, TD_NO_MEMORY, "not enough memory for the grids of %s",
                       strategy->name);
    default:
        return TD_OK;
    }
}

td_status td_run_plan(const td_run *run, bool inexact, td_plan *plan, td_error *error)
{
    const td_domain domain = td_run_domain(run);
    return td_strategy_plan(run->strategy, &domain, inexact, plan, error);
}

void td_run_counts(const td_run *run, const td_plan *plan, td_result *result)
{
    const uint64_t steps = td_run_launches(run);
    const uint64_t generations =
        run->workload->generations > 0 ? td_workload_steps(run->workload, &run->problem) : 1;
    const uint64_t tiles = td_ceil_div(run->problem.n, run->tile);
    result->kernels = plan->count * steps;
    result->blocks = plan->blocks * steps;
    result->blocks_needed =
        td_run_is_square(run) ? tiles * tiles * steps : plan->blocks_needed * steps;
    result->threads = plan->threads * steps;
    result->cells = td_workload_cells(run->workload, &run->problem) * generations;
    result->kernel = td_kernel_of(run);
    result->bytes = run->workload->bytes(&run->problem);
    result->flops = run->workload->flops != NULL ? run->workload->flops(&run->problem) : 0;
    result->int_ops = td_workload_int_ops(run->workload, &run->problem);
    result->launch_bytes = generations > 0 ? result->bytes / generations * steps : 0;
    result->working_set_bytes = td_buffers_bytes(run->workload, &run->problem);
    result->energy_j = -1.0;
}
