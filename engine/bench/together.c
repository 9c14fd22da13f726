#include "together.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/core/stats.h"
#include "engine/prepare/rows.h"

bool td_is_alone(const td_engine *engine)
{
    return engine->ranks == NULL;
}

td_status td_agree(td_engine *engine, td_status status, td_error *error)
{
    return td_ranks_agree(engine->ranks, status, error);
}

double td_largest(td_engine *engine, double value)
{
    return td_ranks_largest(engine->ranks, value);
}

void td_meet(td_engine *engine)
{
    td_ranks_barrier(engine->ranks);
}

td_status td_add_up_checks(td_engine *engine, td_check_counts *counts, uint64_t *guards,
                           char from[TD_FROM_SIZE], td_error *error)
{
    td_ranks *ranks = engine->ranks;
    const uint32_t count = td_ranks_count(ranks);
    uint64_t sums[] = {counts->checked, counts->mismatches, counts->touched_outside, counts->found,
                       *guards};
    uint64_t *first_wrong = calloc(count, sizeof *first_wrong);
    const td_status status =
        td_ranks_agree(ranks, first_wrong != NULL ? TD_OK : TD_NO_MEMORY, error);
    if (status != TD_OK || first_wrong == NULL) {
        free(first_wrong);
        return status;
    }
    td_ranks_gather(ranks, &counts->first_wrong, first_wrong, sizeof *first_wrong);
    td_ranks_sum(ranks, sums, sizeof sums / sizeof sums[0]);
    counts->checked = sums[0];
    counts->mismatches = sums[1];
    counts->touched_outside = sums[2];
    counts->found = sums[3];
    *guards = sums[4];
    counts->max_abs_error = td_ranks_largest(ranks, counts->max_abs_error);
    uint32_t rank = 0;
    while (rank + 1 < count && first_wrong[rank] == 0) {
        rank++;
    }
    counts->first_wrong = first_wrong[rank];
    if (count > 1) {
        snprintf(from, TD_FROM_SIZE, " on rank %u", rank);
    }
    free(first_wrong);
    return TD_OK;
}

void td_add_up_counts(td_engine *engine, td_result *result)
{
    uint64_t sums[] = {result->kernels, result->blocks, result->blocks_needed, result->threads,
                       result->working_set_bytes};
    td_ranks_sum(engine->ranks, sums, sizeof sums / sizeof sums[0]);
    result->kernels = sums[0];
    result->blocks = sums[1];
    result->blocks_needed = sums[2];
    result->threads = sums[3];
    result->working_set_bytes = sums[4];
}

static uint64_t cells_of(const td_run *run)
{
    const td_share share = td_run_share(run);
    uint64_t cells = 0;
    for (uint32_t row = share.first_row; row < share.end_row; row++) {
        const uint32_t end = run->workload->traits.no_diagonal ? row : row + 1;
        cells += td_share_end(&share, row, end) - td_share_begin(&share, row, end);
    }
    return cells;
}

void td_gather_parts(td_engine *engine, const td_run *run, const double *own_ms, td_result *result)
{
    td_environment environment = {0};
    td_part_result own = {.cells = 0};
    td_summary summary;
    const uint32_t count = td_ranks_count(engine->ranks);
    if (engine->ranks == NULL) {
        return;
    }
    td_part_result *all = calloc(count, sizeof *all);
    td_error error;
    if (td_ranks_agree(engine->ranks, all != NULL ? TD_OK : TD_NO_MEMORY, &error) != TD_OK) {
        free(all);
        return;
    }
    td_engine_describe(engine, &environment);
    snprintf(own.host, sizeof own.host, "%s", environment.host);
    snprintf(own.gpu, sizeof own.gpu, "%s", environment.has_gpu ? environment.gpu_name : "");
    own.cells = cells_of(run);
    if (result->sample_count > 0 && td_summarise(own_ms, result->sample_count, &summary)) {
        own.median_ms = summary.median;
    }
    td_ranks_gather(engine->ranks, &own, all, sizeof own);
    result->part_results = all;
    result->part_count = count;
    result->transport = run->workload->automaton != NULL && count > 1 ? engine->transport : NULL;
}
