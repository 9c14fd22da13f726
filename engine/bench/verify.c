#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/own.h"
#include "engine/prepare/start.h"
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

/* ---- a workload without a check of its own ---- */

/* [bytes] around the output, where writes of a wrong cell do no harm */
enum { AROUND = 1 << 16 };

bool td_is_proven_by_loop(const td_workload *workload)
{
    return workload->own != NULL && !workload->own->has_check && workload->own->loop != NULL;
}

/* Visit the cells of this process's part, in order. */
static void loop_over(td_buffers *b, const td_data *data)
{
    td_plain_loop_fn *const loop = b->workload->own->loop;
    const td_share share = td_engine_share(b->engine, b->problem.n);
    for (uint32_t row = share.first_row; row < share.end_row; row++) { /* in 3D, a layer */
        const uint32_t end = b->workload->traits.no_diagonal ? row : row + 1;
        const uint32_t first = td_share_begin(&share, row, end);
        const uint32_t last = td_share_end(&share, row, end);
        loop(data, row, first, last);
        b->plain_cells += last > first ? last - first : 0;
    }
    if (b->workload->dimension == 3) {
        b->plain_cells = td_workload_cells(b->workload, &b->problem);
    }
}

static bool holds_only(const uint8_t *at, uint64_t bytes, uint8_t byte)
{
    return bytes > 0 && at[0] == byte && memcmp(at, at + 1, bytes - 1) == 0;
}

/* Make the plain loop's output, once for all strategies of a group. */
static td_status make_plain(td_buffers *b, td_error *error)
{
    void *input = NULL;
    const uint8_t poison = td_workload_poison(b->workload);
    const uint64_t bytes = b->output[0].bytes;
    td_data data = b->data;
    free(b->plain); /* left by an earlier run whose cells wrote nothing */
    TRY(td_allocate(&b->plain, bytes + 2 * (uint64_t)AROUND, 1, error, "the verification of %s",
                    b->workload->name));
    TRY(td_buffers_host_input(b, &input, error));
    memset(b->plain, poison, bytes + 2 * (uint64_t)AROUND);
    data.input = data.origin = input;
    data.output = (void *)((uintptr_t)b->plain + AROUND - b->stored.first);
    for (uint32_t i = 0; i <= b->workload->traits.twice; i++) {
        b->plain_cells = 0;
        loop_over(b, &data);
    }
    free(input);
    /* an output that starts as zeros does not show whether anything was written */
    b->reference_ready = b->workload->traits.from_zero || b->plain_cells == 0 ||
                         !holds_only(b->plain + AROUND, bytes, poison);
    return !b->reference_ready
               ? td_fail(error, TD_WRONG, "%s: its cells write nothing into the output",
                         b->workload->name)
               : TD_OK;
}

/* An element's value; and of a float its place among all floats, so that neighbours are 1 apart. */
static double value_of(const uint8_t *at, td_element element, int64_t *place)
{
    union {
        double f64;
        int64_t i64;
        float f32;
        int32_t i32;
        uint32_t u32;
        uint8_t u8;
    } v;
    memcpy(&v, at, td_element_bytes(element));
    switch (element) {
    case TD_F64:
        *place = v.i64 >= 0 ? v.i64 : INT64_MIN - v.i64;
        return v.f64;
    case TD_F32:
        *place = v.i32 >= 0 ? v.i32 : (int64_t)INT32_MIN - v.i32;
        return (double)v.f32;
    case TD_I32:
        return (double)v.i32;
    case TD_U8:
        return (double)v.u8;
    default:
        return (double)v.u32;
    }
}

/* Elements that differ: in any byte, or floats by more than the workload allows. */
static void compare(const td_workload *w, const uint8_t *found, const uint8_t *expected,
                    uint64_t bytes, td_check_counts *counts)
{
    const size_t step = td_element_bytes(w->element);
    const bool is_float = w->element == TD_F32 || w->element == TD_F64;
    for (uint64_t at = 0; at < bytes; at += step) {
        int64_t from = 0, to = 0;
        const double a = value_of(found + at, w->element, &from);
        const double b = value_of(expected + at, w->element, &to);
        const uint64_t apart = (uint64_t)to - (uint64_t)from + w->ulp; /* modulo 2^64 */
        const bool is_close =
            is_float && w->ulp > 0 &&
            (isnan(a) || isnan(b) ? isnan(a) && isnan(b) : apart <= 2 * (uint64_t)w->ulp);
        counts->mismatches += memcmp(found + at, expected + at, step) != 0 && !is_close;
        counts->max_abs_error = fmax(counts->max_abs_error, fabs(a - b));
    }
}

/* Compare an output with that of a plain loop over the domain on the host, which runs the same cells. */
static td_status check_by_loop(td_buffers *b, td_check_counts *counts, td_error *error)
{
    const td_guarded *output = &b->output[0];
    uint8_t *found = NULL;
    if (!b->reference_ready) {
        TRY(make_plain(b, error));
    }
    TRY(td_allocate(&found, output->bytes, 1, error, "the verification of %s", b->workload->name));
    const td_status status =
        b->engine->ops->download(b->engine, found, output->kept, output->bytes, error);
    if (status == TD_OK && memcmp(found, b->plain + AROUND, output->bytes) != 0) {
        compare(b->workload, found, b->plain + AROUND, output->bytes, counts);
    }
    counts->checked = b->plain_cells;
    free(found);
    return status;
}

/* ---- any ---- */

static td_status check_result(td_buffers *b, td_check_counts *counts, td_error *error)
{
    td_data data = b->data;
    if (td_is_proven_by_loop(b->workload)) {
        return check_by_loop(b, counts, error);
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
static void name_first(const td_buffers *b, uint64_t first_wrong, const char *from,
                       td_result *result)
{
    enum { COORDINATE = (1 << 21) - 1 };
    const size_t used = strlen(result->reason);
    const uint64_t cell = first_wrong - 1;
    char z[32] = "";
    if (first_wrong == 0) {
        return;
    }
    if (b->workload->dimension == 3) {
        snprintf(z, sizeof z, "layer %u, ", (uint32_t)(cell >> 42));
    }
    snprintf(result->reason + used, sizeof result->reason - used,
             "; the first%s is at %srow %u, column %u", from, z,
             (uint32_t)(cell >> 21) & COORDINATE, (uint32_t)cell & COORDINATE);
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
        name_first(buffers, counts.first_wrong, from, result);
    }
    return TD_OK;
}
