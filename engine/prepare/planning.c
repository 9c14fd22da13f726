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
    const int step = side == 0 ? -1 : 1;
    if (run->parts == 0 || run->workload->automaton == NULL || !has_rows(run, run->part)) {
        return -1;
    }
    for (int64_t part = (int64_t)run->part + step; part >= 0 && part < run->parts; part += step) {
        if (has_rows(run, (uint32_t)part)) {
            return (int)part;
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

uint64_t td_state_row_bytes(const td_workload *workload, const td_problem *problem, uint32_t row)
{
    (void)workload, (void)problem;
    return td_triangle(row);
}

/* The bytes from one row to another; the row where they begin. */
static uint64_t bytes_between(const td_run *run, td_row_bytes_fn *bytes, uint32_t from, uint32_t to,
                              uint64_t *begin)
{
    *begin = bytes(run->workload, &run->problem, from);
    return bytes(run->workload, &run->problem, to) - *begin;
}

td_halo td_run_halo(const td_run *run, td_row_bytes_fn *bytes, uint32_t depth)
{
    const td_share share = td_run_share(run);
    const uint32_t first = share.first_row, end = share.end_row, n = run->problem.n;
    const uint32_t give = end - first < depth ? end - first : depth;
    td_halo_rows above = {.with = neighbour(run, 0)}, below = {.with = neighbour(run, 1)};
    if (above.with >= 0) {
        above.give_bytes = bytes_between(run, bytes, first, first + give, &above.give);
        above.take_bytes = bytes_between(run, bytes, first - depth, first, &above.take);
    }
    if (below.with >= 0) {
        const uint32_t last = n - end < depth ? n : end + depth;
        below.give_bytes = bytes_between(run, bytes, end - give, end, &below.give);
        below.take_bytes = bytes_between(run, bytes, end, last, &below.take);
    }
    return (td_halo){.exists = above.with >= 0 || below.with >= 0, .side = {above, below}};
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
