#include "rows.h"

#include "planning.h"

td_part td_run_part(const td_run *run, uint32_t index)
{
    const td_domain domain = td_run_domain(run);
    return run->parts > 0 ? td_part_of(run->partition, &domain, index, run->parts)
                          : td_part_of(TD_BY_ROWS, &domain, 0, 1);
}

td_share td_run_share(const td_run *run)
{
    const td_domain domain = td_run_domain(run);
    const td_part part = td_run_part(run, run->part);
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
    const td_part part = td_run_part(run, index);
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

void td_run_edges(const td_run *run, bool edges[2])
{
    edges[0] = neighbour(run, 0) >= 0;
    edges[1] = neighbour(run, 1) >= 0;
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
