#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/prepare/start.h"
#include "plain.h"
#include "together.h"
#include "workloads/place.h"

/* Largest difference between a sum and its reference, relative to the scale of the reference. */
static const double total_tolerance = 1e-10;

/* ---- the reference, once for all runs of a group ---- */

/* Of an automaton, generation by generation, unless an earlier group has computed it. */
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

static td_status make_reference(td_buffers *b, const td_execution *execution, td_error *error)
{
    const td_workload *w = b->workload;
    if (b->reference_ready) {
        return TD_OK;
    }
    if (w->automaton != NULL) {
        return advance_reference(b, execution, error);
    }
    if (w->sum != NULL) {
        void *input = NULL;
        TRY(td_buffers_host_input(b, &input, error));
        b->total = w->sum->total(&b->problem, input, &b->scale);
        free(input);
    } else if (td_is_proven_by_output(w, &b->problem)) {
        TRY(td_plain_make(b, execution->plan->cells, error));
    }
    b->reference_ready = true;
    return TD_OK;
}

/* ---- the checks ---- */

/* The output is one number for all cells; counting visits shows that each cell contributed. */
static td_status check_total(td_buffers *b, td_check_counts *counts, td_result *result,
                             td_error *error)
{
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

/* What the first wrong cell holds, and what it should hold. Of a mirrored one whose place in the lower half is as it
 * should be, the other place. */
static td_status find_values(const td_buffers *b, td_check_counts *counts, td_error *error)
{
    const uint64_t cell = counts->first_wrong - 1;
    const uint32_t x = td_cell_coordinate(cell, 0), y = td_cell_coordinate(cell, 1);
    const size_t bytes = td_element_bytes(b->workload->element);
    const uint8_t *const output = b->data.output;
    td_data data = b->data;
    void *input = NULL;
    if (b->workload->traits.expected == NULL || counts->first_wrong == 0) {
        return TD_OK;
    }
    TRY(td_buffers_host_input(b, &input, error));
    data.input = input;
    b->workload->traits.expected(&data, y, x, &counts->expected_bits);
    free(input);
    const uint8_t *const lower = output + td_place_2d(&data, y, x) * bytes;
    const uint8_t *const upper = output + td_place_2d(&data, x, y) * bytes;
    TRY(b->engine->ops->download(b->engine, &counts->found_bits, lower, bytes, error));
    return b->problem.layout == TD_MIRRORED && counts->found_bits == counts->expected_bits
               ? b->engine->ops->download(b->engine, &counts->found_bits, upper, bytes, error)
               : TD_OK;
}

static td_status check_result(td_buffers *b, td_check_counts *counts, td_result *result,
                              td_error *error)
{
    td_data data = b->data;
    if (b->workload->sum != NULL) {
        return check_total(b, counts, result, error);
    }
    if (td_is_proven_by_output(b->workload, &b->problem)) {
        return td_plain_compare(b, counts, error);
    }
    if (b->workload->automaton != NULL) {
        data.expected = b->last;
        data.output = (void *)(uintptr_t)td_buffers_result(b);
    }
    TRY(b->engine->ops->check(b->engine, b->workload, &data, counts, error));
    return find_values(b, counts, error);
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

/* ---- the conclusion ---- */

/* Why a run is wrong. from: the process that found the first wrong cell, " on ..."; empty if it is alone. */
static void explain(const td_buffers *b, const td_check_counts *counts, const char *from,
                    char reason[TD_REASON_SIZE])
{
    const uint64_t cells = td_workload_cells(b->workload, &b->problem);
    char place[TD_PLACE_SIZE], values[TD_VALUES_SIZE] = "", of[64];
    int used = snprintf(reason, TD_REASON_SIZE, "%s: ", b->workload->name);
    char *end = reason + used;
    const size_t room = TD_REASON_SIZE - (size_t)used;
    if (counts->checked != cells) {
        used = snprintf(end, room, "the check compared %llu cells, the domain has %llu",
                        (unsigned long long)counts->checked, (unsigned long long)cells);
    } else if (counts->inputs > 0) {
        used = snprintf(end, room, "its input was changed");
    } else {
        snprintf(of, sizeof of, "of %llu cells", (unsigned long long)counts->checked);
        used = snprintf(
            end, room,
            "%llu %s are wrong, %llu bytes outside of the domain and %llu of the guard "
            "zones were written",
            (unsigned long long)counts->mismatches, td_counts_elements(b) ? "elements" : of,
            (unsigned long long)counts->touched_outside, (unsigned long long)counts->guards);
    }
    if (counts->first_wrong > 0) {
        td_place_text(b, counts->first_wrong, place);
        if (b->workload->traits.expected != NULL ||
            td_is_proven_by_output(b->workload, &b->problem)) {
            td_plain_values(b->workload, counts, values);
        }
        snprintf(end + used, room - (size_t)used, "; the first%s is at %s%s", from, place, values);
    }
}

static void conclude(const td_buffers *b, const td_check_counts *counts, const char *from,
                     td_result *result)
{
    const uint64_t cells = td_workload_cells(b->workload, &b->problem);
    if (b->workload->finding.kind == TD_FINDS_COUNT) {
        result->has_finding = true;
        result->finding.count = counts->found;
    }
    if (td_is_proven_by_output(b->workload, &b->problem)) {
        result->output = counts->output;
        if (counts->output.first_unwritten > 0) {
            td_place_text(b, counts->output.first_unwritten, result->first_unwritten);
        }
    }
    result->checked = counts->checked;
    result->mismatches =
        counts->mismatches + counts->touched_outside + counts->guards + counts->inputs;
    /* a run may be verified twice: keep the larger error */
    result->max_abs_error = fmax(result->max_abs_error, counts->max_abs_error);
    result->verified = TD_VERIFIED_PASS;
    if (result->mismatches > 0 || counts->checked != cells) { /* cells left out may be wrong */
        result->verified = TD_VERIFIED_FAIL;
        result->error = TD_WRONG;
        result->status = TD_RUN_FAILED;
        explain(b, counts, from, result->reason);
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
    /* this comes first, because the poison of bits depends on the reference */
    TRY(make_reference(buffers, execution, error));
    TRY(td_buffers_poison(buffers, error));
    TRY(execute(buffers, execution, sampled, error));
    TRY(check_result(buffers, counts, result, error));
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
    conclude(buffers, &counts, from, result);
    return TD_OK;
}
