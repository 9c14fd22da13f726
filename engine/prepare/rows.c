#include "rows.h"

#include "buffers.h"
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

typedef uint64_t row_bytes_fn(const td_run *run, uint32_t row);

static uint64_t stored_row_bytes(const td_run *run, uint32_t row)
{
    return td_row_bytes(run->workload, &run->problem, row);
}

static uint64_t state_row_bytes(const td_run *run, uint32_t row)
{
    (void)run;
    return td_triangle(row);
}

/* The rows of `give` and `take`, as byte ranges. */
static td_halo_rows halo_rows(const td_run *run, row_bytes_fn *bytes, int with, td_kept give,
                              td_kept take)
{
    td_halo_rows rows = {.with = with};
    rows.give = bytes(run, (uint32_t)give.first);
    rows.give_bytes = bytes(run, (uint32_t)give.end) - rows.give;
    rows.take = bytes(run, (uint32_t)take.first);
    rows.take_bytes = bytes(run, (uint32_t)take.end) - rows.take;
    return rows;
}

static td_halo halo_of(const td_run *run, row_bytes_fn *bytes, uint32_t depth)
{
    const int above = neighbour(run, 0), below = neighbour(run, 1);
    const td_share share = td_run_share(run);
    const uint32_t first = share.first_row, end = share.end_row, n = run->problem.n;
    td_halo halo = {.exists = above >= 0 || below >= 0, .side = {{.with = -1}, {.with = -1}}};
    const uint32_t from = end - first < depth ? first : end - depth;
    const uint32_t to = end - first < depth ? end : first + depth;
    if (above >= 0) {
        halo.side[0] =
            halo_rows(run, bytes, above, (td_kept){first, to}, (td_kept){first - depth, first});
    }
    if (below >= 0) {
        halo.side[1] = halo_rows(run, bytes, below, (td_kept){from, end},
                                 (td_kept){end, n - end < depth ? n : end + depth});
    }
    return halo;
}

td_halo td_run_halo(const td_run *run, uint32_t depth)
{
    return halo_of(run, stored_row_bytes, depth);
}

td_halo td_run_state_halo(const td_run *run)
{
    return halo_of(run, state_row_bytes, 1);
}
