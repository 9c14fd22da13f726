#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/prepare/start.h"
#include "plain.h"
#include "together.h"

/* Largest difference between a sum and its reference, relative to the scale of the reference. */
static const double total_tolerance = 1e-10;

/* ---- an automaton, and a sum ---- */

/* Compute the reference generation by generation, once for all strategies of a group, unless an earlier group has. */
static td_status advance_reference(td_buffers *b, const td_execution *execution, td_error *error)
{
    td_data data = b->data;
    TRY(td_start_open_reference(b, error));
    if (b->reference_ready) {
        return TD_OK;
    }
    for (uint32_t step = 0; step < td_workload_steps(b->workload, &b->problem); step++) {
        data.input = b->reference[step % 2];
        data.output = b->reference[(step + 1) % 2];
        TRY(b->engine->ops->for_each_cell(b->engine, b->workload, TD_TASK_REFERENCE, &data, error));
        TRY(td_halo_swap(b->engine, &execution->state_halo, data.output, error));
    }
    td_start_keep_last(b);
    return TD_OK;
}

/* The output is one number for all cells, whose reference is computed once for all strategies of a group; counting
 * visits shows that each cell contributed. */
static td_status check_total(td_buffers *b, td_check_counts *counts, td_result *result,
                             td_error *error)
{
    void *input = NULL;
    if (!b->reference_ready) {
        TRY(td_buffers_host_input(b, &input, error));
        b->total = b->workload->sum->total(&b->problem, input, &b->scale);
        b->reference_ready = true;
        free(input);
    }
    TRY(b->engine->ops->download(b->engine, &result->finding.real, b->data.output, sizeof(double),
                                 error));
    if (!isfinite(b->total) || !isfinite(b->scale)) {
        return td_fail(error, TD_FAILED, "%s: the sum over this input is not finite",
                       b->workload->name);
    }
    result->has_finding = isfinite(result->finding.real);
    counts->checked = td_workload_cells(b->workload, &b->problem);
    counts->max_abs_error = fabs(result->finding.real - b->total);
    counts->mismatches = !(counts->max_abs_error <= total_tolerance * b->scale); /* also for NaN */
    return TD_OK;
}

/* ---- any ---- */

static td_status check_result(td_buffers *b, td_check_counts *counts, td_error *error)
{
    td_data data = b->data;
    if (td_is_proven_by_loop(b->workload)) {
        return td_plain_compare(b, counts, error);
    }
    if (b->workload->automaton != NULL) {
        data.expected = b->last;
        data.output = (void *)(uintptr_t)td_buffers_result(b);
    }
    return b->engine->ops->check(b->engine, b->workload, &data, counts, error);
}

/* Whether launches have changed the input, on which the reference depends. That of an automaton does not: its next
 * result is wrong. */
static td_status check_input(const td_buffers *b, uint64_t *changed, td_error *error)
{
    void *input = NULL;
    if (b->workload->automaton != NULL || b->input_bytes == 0) {
        return TD_OK;
    }
    TRY(td_allocate(&input, b->input_bytes, 1, error, "the input of %s", b->workload->name));
    const td_status status =
        b->engine->ops->download(b->engine, input, b->input_memory, b->input_bytes, error);
    *changed = !td_digest_is(td_digest_of(input, b->input_bytes), b->input_digest);
    free(input);
    return status;
}

/* Append the first cell that is wrong to the reason. from: the process that found it, " on ..."; empty if it is
 * alone. */
static void name_first(const td_buffers *b, const td_check_counts *counts, const char *from,
                       td_result *result)
{
    const size_t used = strlen(result->reason);
    char place[TD_PLACE_SIZE], values[TD_VALUES_SIZE] = "";
    if (counts->first_wrong == 0) {
        return;
    }
    td_place_text(b->workload, counts->first_wrong, place);
    if (td_is_proven_by_loop(b->workload)) {
        td_plain_values(b->workload, counts, values);
    }
    snprintf(result->reason + used, sizeof result->reason - used, "; the first%s is at %s%s", from,
             place, values);
}

static void conclude(const td_buffers *b, const td_check_counts *counts, td_result *result)
{
    const char *workload = b->workload->name;
    const uint64_t cells = td_workload_cells(b->workload, &b->problem);
    const bool complete = counts->checked == cells; /* cells that are left out may be wrong */
    if (b->workload->finding.kind == TD_FINDS_COUNT) {
        result->has_finding = true;
        result->finding.count = counts->found;
    }
    if (td_is_proven_by_loop(b->workload)) {
        result->output = counts->output;
        if (counts->output.unwritten > 0 && counts->output.first_unwritten > 0) {
            td_place_text(b->workload, counts->output.first_unwritten, result->first_unwritten);
        }
    }
    result->checked = counts->checked;
    result->mismatches =
        counts->mismatches + counts->touched_outside + counts->guards + counts->inputs;
    /* a run may be verified twice: keep the larger error */
    result->max_abs_error = fmax(result->max_abs_error, counts->max_abs_error);
    result->verified = result->mismatches == 0 && complete ? TD_VERIFIED_PASS : TD_VERIFIED_FAIL;
    if (result->verified == TD_VERIFIED_FAIL) {
        result->error = TD_WRONG;
        result->status = TD_RUN_FAILED;
    }
    if (!complete) {
        snprintf(result->reason, sizeof result->reason,
                 "%s: the check compared %llu cells, the domain has %llu", workload,
                 (unsigned long long)counts->checked, (unsigned long long)cells);
    } else if (counts->inputs > 0) {
        snprintf(result->reason, sizeof result->reason, "%s: its input was changed", workload);
    } else if (result->verified == TD_VERIFIED_FAIL) {
        snprintf(result->reason, sizeof result->reason,
                 "%s: %llu of %llu cells are wrong, %llu bytes outside of the domain and %llu of "
                 "the guard zones were written",
                 workload, (unsigned long long)counts->mismatches,
                 (unsigned long long)counts->checked, (unsigned long long)counts->touched_outside,
                 (unsigned long long)counts->guards);
    }
}

/* Launch the sampled batch; or the execution alone, if the launches of a batch would add up in the output. */
static td_status execute(td_buffers *b, const td_execution *execution, td_prepared *sampled,
                         td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    double ms = 0.0;
    if (sampled != NULL && (b->workload->automaton != NULL || !b->workload->traits.from_zero)) {
        return ops->sample(b->engine, sampled, &ms, error);
    }
    for (uint32_t i = 0; i <= b->workload->traits.twice; i++) {
        TRY(ops->launch(b->engine, execution, error));
    }
    return TD_OK;
}

static td_status execute_and_check(td_buffers *buffers, const td_execution *execution,
                                   td_prepared *sampled, td_check_counts *counts, td_result *result,
                                   td_error *error)
{
    if (buffers->workload->automaton != NULL && !buffers->reference_ready) {
        /* this comes first, because the poison of bits depends on the reference */
        TRY(advance_reference(buffers, execution, error));
    }
    if (td_is_proven_by_loop(buffers->workload) && !buffers->reference_ready) {
        TRY(td_plain_make(buffers, error));
    }
    TRY(td_buffers_poison(buffers, error));
    TRY(execute(buffers, execution, sampled, error));
    if (buffers->workload->sum != NULL) {
        TRY(check_total(buffers, counts, result, error));
    } else {
        TRY(check_result(buffers, counts, error));
    }
    TRY(td_buffers_guards(buffers, &counts->guards, error));
    return check_input(buffers, &counts->inputs, error);
}

td_status td_verify(td_buffers *buffers, const td_execution *execution, td_prepared *sampled,
                    td_result *result, td_error *error)
{
    td_check_counts counts = {0};
    char from[TD_FROM_SIZE] = "";
    const td_status status = execute_and_check(buffers, execution, sampled, &counts, result, error);
    TRY(td_engine_agree(buffers->engine, status, error));
    td_add_up_checks(buffers->engine, &counts, from);
    conclude(buffers, &counts, result);
    if (result->error == TD_WRONG) {
        name_first(buffers, &counts, from, result);
    }
    return TD_OK;
}
