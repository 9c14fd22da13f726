#include "planning.h"

#include "rows.h"

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
    domain.width = banded ? 0 : run->width;
    domain.bands = banded ? run->width / run->tile : 1;
    domain.no_diagonal = run->workload->traits.no_diagonal;
    return domain;
}

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

td_status td_strategy_plan(const td_strategy *strategy, const td_domain *domain, bool inexact,
                           td_plan *plan, td_error *error)
{
    return explain(td_plan_make(strategy, domain, inexact, plan), strategy, domain, error);
}

td_status td_run_plan(const td_run *run, bool inexact, td_plan *plan, td_error *error)
{
    const td_domain domain = td_run_domain(run);
    const td_part part = td_run_part(run, run->part);
    bool edges[2];
    td_run_edges(run, edges);
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
