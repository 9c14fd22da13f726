#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "rows.h"
#include "start.h"

enum {
    GUARD_BYTES = 1 << 16, /* larger than a block's row of cells; keeps the output aligned */
    GUARD_BYTE = 0x5c
};

static int outputs(const td_workload *workload)
{
    return workload->automaton != NULL ? 2 : 1;
}

/* ---- rows ---- */

/* Kernels read beyond the rows that they compute, although results depend only on the nearest of these rows. */
enum { ROWS_AROUND = 16, ALIGNED_ELEMENTS = 256 };

static uint32_t rows_around(const td_workload *workload)
{
    return workload->automaton != NULL ? ROWS_AROUND : 0;
}

static uint32_t first_kept(const td_workload *workload, const td_problem *problem)
{
    const uint32_t around = rows_around(workload);
    return problem->first_row > around ? problem->first_row - around : 0;
}

static uint32_t end_kept(const td_workload *workload, const td_problem *problem)
{
    const uint32_t around = rows_around(workload);
    const bool is_last = problem->end_row == 0 || problem->end_row + around >= problem->n;
    return is_last ? problem->n : problem->end_row + around;
}

static uint64_t row_element(const td_workload *workload, const td_problem *problem, uint32_t row)
{
    td_data data = {0};
    if (workload->automaton != NULL) {
        return td_workload_row_element(workload, problem, row);
    }
    td_workload_setup(workload, problem, &data);
    return td_row_start(&data, row);
}

uint64_t td_row_bytes(const td_workload *workload, const td_problem *problem, uint32_t row)
{
    return row_element(workload, problem, row) * td_element_bytes(workload->element);
}

/* The kept elements begin at a multiple of ALIGNED_ELEMENTS, so that stores are aligned as in the whole output. */
static td_kept kept_elements(const td_workload *workload, const td_problem *problem)
{
    td_kept kept = {0, td_workload_output_elements(workload, problem)};
    const bool by_rows = workload->own == NULL || workload->output_elements == NULL;
    if (problem->end_row == 0 || workload->traits.proven_by_count || !by_rows) {
        return kept;
    }
    const uint32_t first = first_kept(workload, problem), end = end_kept(workload, problem);
    if (first > 0) {
        kept.first = row_element(workload, problem, first) / ALIGNED_ELEMENTS * ALIGNED_ELEMENTS;
    }
    if (end < problem->n) {
        kept.end = row_element(workload, problem, end);
    }
    return kept;
}

static td_kept kept_states(const td_workload *workload, const td_problem *problem)
{
    td_kept kept = {0, td_workload_cells(workload, problem)};
    if (problem->end_row > 0) {
        kept.first = td_triangle(first_kept(workload, problem));
        kept.end = td_triangle(end_kept(workload, problem));
    }
    return kept;
}

/* The problem restricted to the rows that are kept, for functions that fill them. */
static td_problem kept_rows(const td_workload *workload, const td_problem *problem)
{
    td_problem rows = *problem;
    if (problem->end_row > 0) {
        rows.first_row = first_kept(workload, problem);
        rows.end_row = end_kept(workload, problem);
    }
    return rows;
}

/* The address where the first byte of the whole buffer would be. */
static void *before(void *memory, uint64_t bytes)
{
    return (void *)((uintptr_t)memory - bytes);
}

uint64_t td_run_bytes(const td_run *run)
{
    const td_problem problem = td_run_problem(run);
    return td_buffers_bytes(run->workload, &problem);
}

static uint64_t bytes_of(const td_workload *workload, td_kept elements)
{
    return (elements.end - elements.first) * td_element_bytes(workload->element);
}

/* In a part of the domain a state has a single plane, as long as the output. */
static uint64_t kept_input_bytes(const td_workload *workload, const td_problem *problem,
                                 td_kept elements)
{
    return workload->automaton != NULL && problem->end_row > 0
               ? bytes_of(workload, elements)
               : td_workload_input_bytes(workload, problem);
}

static uint64_t state_bytes(const td_workload *workload)
{
    return workload->automaton->state_bytes > 0 ? workload->automaton->state_bytes : 1;
}

/* The bytes that the reference writes last: a state, or the result of an automaton that has only one generation. */
static uint64_t last_bytes(const td_workload *workload, td_kept states)
{
    const uint64_t size = td_workload_advances(workload)
                              ? state_bytes(workload)
                              : td_element_bytes(workload->automaton->saved);
    return (states.end - states.first) * size;
}

uint64_t td_buffers_bytes(const td_workload *workload, const td_problem *problem)
{
    const td_kept elements = kept_elements(workload, problem);
    const td_kept states = kept_states(workload, problem);
    const uint64_t guarded =
        (bytes_of(workload, elements) + 2 * GUARD_BYTES) * (uint64_t)outputs(workload);
    const uint64_t reference =
        workload->automaton != NULL ? 2 * (states.end - states.first) * state_bytes(workload) : 0;
    return guarded + reference + kept_input_bytes(workload, problem, elements);
}

static td_status check_memory(td_engine *engine, const td_workload *workload,
                              const td_problem *problem, td_error *error)
{
    uint64_t available = 0;
    const uint64_t needed = td_buffers_bytes(workload, problem);
    TRY(engine->ops->free_memory(engine, &available, error));
    if (needed > available) {
        td_start_forget();
        TRY(engine->ops->free_memory(engine, &available, error));
    }
    if (needed > available) {
        return td_fail(error, TD_NO_MEMORY, "%s with N = %u needs %llu bytes and %llu are free",
                       workload->name, problem->n, (unsigned long long)needed,
                       (unsigned long long)available);
    }
    return TD_OK;
}

static td_status open_output(td_buffers *b, td_guarded *guarded, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    void *memory = NULL;
    guarded->bytes = bytes_of(b->workload, b->elements);
    TRY(ops->allocate(b->engine, guarded->bytes + 2 * GUARD_BYTES, &memory, error));
    guarded->memory = memory;
    guarded->kept = guarded->memory + GUARD_BYTES;
    guarded->output =
        before(guarded->kept, b->elements.first * td_element_bytes(b->workload->element));
    /* This is also needed without verification: automata read a border that is never written, and --dump writes
     * everything that is kept. */
    return ops->fill != NULL ? ops->fill(b->engine, guarded->kept, td_workload_poison(b->workload),
                                         guarded->bytes, error)
                             : TD_OK;
}

static td_status upload_input(td_buffers *b, const void *host, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    TRY(ops->allocate(b->engine, b->input_bytes, &b->input_memory, error));
    return ops->upload(b->engine, b->input_memory, host, b->input_bytes, error);
}

/* The first state goes to the reference as generated, and to the input in the workload's own storage. */
static td_status open_state(td_buffers *b, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    const uint64_t size = state_bytes(b->workload);
    const td_extent states = {b->states.first * size, (b->states.end - b->states.first) * size};
    const td_extent input = {b->elements.first * td_element_bytes(b->workload->element),
                             b->input_bytes};
    const td_problem rows = kept_rows(b->workload, &b->problem);
    for (int i = 0; i < 2; i++) {
        TRY(ops->allocate(b->engine, states.bytes, &b->reference_memory[i], error));
        b->reference[i] = before(b->reference_memory[i], states.first_bytes);
    }
    TRY(td_start_open(b->engine, b->workload, &rows, states, input, b->reference_memory[0],
                      &b->input_memory, &b->input_is_kept, error));
    b->input = before(b->input_memory, input.first_bytes);
    return td_start_find_last(b->engine, b->workload, &rows, last_bytes(b->workload, b->states),
                              b->reference_memory[td_workload_steps(b->workload, &rows) % 2],
                              &b->reference_ready, error);
}

td_status td_buffers_reference_is_ready(td_buffers *b, td_error *error)
{
    const td_problem rows = kept_rows(b->workload, &b->problem);
    b->reference_ready = true;
    return td_start_keep_last(b->engine, b->workload, &rows, last_bytes(b->workload, b->states),
                              b->reference_memory[td_workload_steps(b->workload, &rows) % 2],
                              error);
}

static td_status open_input(td_buffers *b, td_error *error)
{
    void *host = NULL;
    b->input_bytes = kept_input_bytes(b->workload, &b->problem, b->elements);
    if (b->input_bytes == 0) {
        return TD_OK;
    }
    if (b->workload->automaton != NULL) {
        return open_state(b, error);
    }
    TRY(td_buffers_host_input(b, &host, error));
    const td_status status = upload_input(b, host, error);
    b->input = b->input_memory;
    free(host);
    return status;
}

static td_status open_all(td_buffers *b, td_error *error)
{
    TRY(check_memory(b->engine, b->workload, &b->problem, error));
    TRY(open_input(b, error));
    for (int i = 0; i < outputs(b->workload); i++) {
        TRY(open_output(b, &b->output[i], error));
    }
    td_workload_setup(b->workload, &b->problem, &b->data);
    b->data.input = b->input;
    b->data.origin = b->input;
    b->data.output = b->output[0].output;
    return TD_OK;
}

td_status td_buffers_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                          td_buffers *buffers, td_error *error)
{
    *buffers = (td_buffers){0};
    buffers->engine = engine;
    buffers->workload = workload;
    buffers->problem = *problem;
    buffers->elements = kept_elements(workload, problem);
    buffers->states = kept_states(workload, problem);
    if (workload->automaton == NULL) {
        td_start_forget();
    }
    const td_status status = open_all(buffers, error);
    if (status != TD_OK) {
        td_buffers_close(buffers);
    }
    return status;
}

td_status td_buffers_host_input(const td_buffers *b, void **input, td_error *error)
{
    TRY(td_allocate(input, b->input_bytes, 1, error, "the input of %s", b->workload->name));
    if (b->input_bytes > 0) {
        td_workload_fill(b->workload, &b->problem, *input);
    }
    return TD_OK;
}

td_status td_buffers_poison(td_buffers *b, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    for (int i = 0; i < outputs(b->workload); i++) {
        const td_guarded *g = &b->output[i];
        TRY(ops->fill(b->engine, g->memory, GUARD_BYTE, GUARD_BYTES, error));
        TRY(ops->fill(b->engine, g->kept, td_workload_poison(b->workload), g->bytes, error));
        /* A dead halo stays 0, as filled: poison the cells alone. */
        if (b->workload->automaton != NULL && b->workload->automaton->dead_halo) {
            td_data data = b->data;
            data.output = g->output;
            data.expected = b->reference[td_workload_steps(b->workload, &b->problem) % 2];
            TRY(ops->for_each_cell(b->engine, b->workload, TD_TASK_POISON, &data, error));
        }
        TRY(ops->fill(b->engine, g->memory + GUARD_BYTES + g->bytes, GUARD_BYTE, GUARD_BYTES,
                      error));
    }
    return TD_OK;
}

td_status td_buffers_guards(td_buffers *b, uint64_t *broken, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    *broken = 0;
    for (int i = 0; i < outputs(b->workload); i++) {
        const td_guarded *g = &b->output[i];
        uint64_t front = 0, back = 0;
        TRY(ops->count_other(b->engine, g->memory, GUARD_BYTE, GUARD_BYTES, &front, error));
        TRY(ops->count_other(b->engine, g->memory + GUARD_BYTES + g->bytes, GUARD_BYTE, GUARD_BYTES,
                             &back, error));
        *broken += front + back;
    }
    return TD_OK;
}

const void *td_buffers_result(const td_buffers *b)
{
    const uint32_t per_launch = td_launch_generations(b->engine->ops, b->workload);
    if (per_launch == 0) {
        return b->output[0].output;
    }
    const uint32_t launches = td_ceil_div(td_workload_steps(b->workload, &b->problem), per_launch);
    return launches == 0 ? b->input : b->output[(launches - 1) % 2].output;
}

void td_buffers_close(td_buffers *b)
{
    if (b->engine == NULL) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        b->engine->ops->release(b->engine, b->output[i].memory);
        b->engine->ops->release(b->engine, b->reference_memory[i]);
    }
    if (!b->input_is_kept) {
        b->engine->ops->release(b->engine, b->input_memory);
    }
    free(b->plain);
    *b = (td_buffers){0};
}
