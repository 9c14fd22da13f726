#include "together.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/core/stats.h"

/* staged: room for the rows in transit, those of side 0 first. */
static td_status swap(td_engine *engine, const td_halo *halo, uintptr_t state, uint8_t *staged,
                      td_error *error)
{
    td_swap swaps[2];
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        swaps[i] = (td_swap){rows->with, staged, staged + rows->give_bytes, rows->give_bytes,
                             rows->take_bytes};
        TRY(engine->ops->download(engine, staged, (const void *)(state + rows->give),
                                  rows->give_bytes, error));
        staged += rows->give_bytes + rows->take_bytes;
    }
    td_ranks_swap_begin(engine->ranks, swaps);
    td_ranks_swap_end(engine->ranks);
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        TRY(engine->ops->upload(engine, (void *)(state + rows->take), swaps[i].take,
                                rows->take_bytes, error));
    }
    return TD_OK;
}

td_status td_halo_swap(td_engine *engine, const td_halo *halo, void *state, td_error *error)
{
    uint64_t bytes = 0;
    uint8_t *staged = NULL;
    for (int i = 0; i < 2; i++) {
        bytes += halo->side[i].give_bytes + halo->side[i].take_bytes;
    }
    if (!halo->exists) {
        return TD_OK;
    }
    TRY(td_allocate(&staged, bytes, 1, error, "a halo"));
    const td_status status = swap(engine, halo, (uintptr_t)state, staged, error);
    free(staged);
    return status;
}

/* counts: ends with NULL */
static void add_up(td_engine *engine, uint64_t *const counts[])
{
    for (size_t i = 0; counts[i] != NULL; i++) {
        td_ranks_sum(engine->ranks, counts[i], 1);
    }
}

void td_add_up_checks(td_engine *engine, td_check_counts *counts, char from[TD_FROM_SIZE])
{
    const uint32_t count = td_ranks_count(engine->ranks), own = td_ranks_index(engine->ranks);
    const uint64_t first = td_ranks_least(engine->ranks, counts->first_wrong > 0 ? own : count);
    if (own != first) {
        counts->first_wrong = counts->found_bits = counts->expected_bits = 0;
    }
    add_up(engine,
           (uint64_t *const[]){&counts->first_wrong, &counts->checked, &counts->mismatches,
                               &counts->touched_outside, &counts->found, &counts->guards,
                               &counts->inputs, &counts->found_bits, &counts->expected_bits,
                               &counts->output.unwritten, &counts->output.not_finite, NULL});
    counts->max_abs_error = td_engine_largest(engine, counts->max_abs_error);
    if (count > 1) {
        snprintf(from, TD_FROM_SIZE, " on rank %u", (uint32_t)first);
    }
}

void td_add_up_counts(td_engine *engine, td_result *result)
{
    add_up(engine, (uint64_t *const[]){&result->kernels, &result->blocks, &result->blocks_needed,
                                       &result->threads, &result->working_set_bytes, NULL});
}

td_status td_gather_parts(td_engine *engine, const td_execution *execution, const double *own_ms,
                          td_result *result, td_error *error)
{
    td_environment environment = {0};
    td_part_result own = {.cells = 0};
    td_summary summary;
    const uint32_t count = td_ranks_count(engine->ranks);
    if (engine->ranks == NULL) {
        return TD_OK;
    }
    free(result->part_results);
    const td_status status =
        td_allocate(&result->part_results, count, sizeof own, error, "the parts of a run");
    TRY(td_engine_agree(engine, status, error));
    td_engine_describe(engine, &environment);
    snprintf(own.host, sizeof own.host, "%s", environment.host);
    snprintf(own.gpu, sizeof own.gpu, "%s", environment.has_gpu ? environment.gpu_name : "");
    own.cells = execution->plan->cells;
    if (result->sample_count > 0 && td_summarise(own_ms, result->sample_count, &summary)) {
        own.median_ms = summary.median;
    }
    td_ranks_gather(engine->ranks, &own, result->part_results, sizeof own);
    result->part_count = count;
    result->transport =
        execution->workload->automaton != NULL && count > 1 ? engine->transport : NULL;
    return TD_OK;
}
