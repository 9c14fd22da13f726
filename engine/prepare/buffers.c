#include "buffers.h"

#include <stdlib.h>

#include "engine/core/error.h"
#include "engine/core/span.h"
#include "planning.h"
#include "start.h"

enum {
    GUARD_BYTES = 1 << 16, /* larger than a block's row of cells; keeps the output aligned */
    GUARD_BYTE = 0x5c
};

static int outputs(const td_workload *workload)
{
    return workload->automaton != NULL ? 2 : 1;
}

/* ---- what is kept ---- */

/* Kernels read beyond the rows that they compute, although results depend only on the nearest of these rows. */
enum { ROWS_AROUND = 16, ALIGNED_ELEMENTS = 256 };

static td_problem kept_rows(const td_workload *workload, const td_problem *problem)
{
    const uint32_t around = workload->automaton != NULL ? ROWS_AROUND : 0;
    td_problem rows = *problem;
    if (problem->end_row > 0) {
        rows.first_row = problem->first_row > around ? problem->first_row - around : 0;
        rows.end_row =
            problem->end_row + around < problem->n ? problem->end_row + around : problem->n;
    }
    return rows;
}

/* The kept elements begin at a multiple of ALIGNED_ELEMENTS, so that stores are aligned as in the whole output. */
static td_kept kept_output(const td_workload *workload, const td_problem *problem,
                           const td_problem *rows)
{
    const uint64_t element = td_element_bytes(workload->element);
    const uint64_t aligned = ALIGNED_ELEMENTS * element;
    td_kept kept = {0, td_workload_output_elements(workload, problem) * element};
    const bool by_rows = workload->own == NULL || workload->output_elements == NULL;
    if (problem->end_row == 0 || workload->traits.proven_by_count || !by_rows) {
        return kept;
    }
    if (rows->first_row > 0) {
        kept.first = td_row_bytes(workload, problem, rows->first_row) / aligned * aligned;
    }
    if (rows->end_row < problem->n) {
        kept.end = td_row_bytes(workload, problem, rows->end_row);
    }
    return kept;
}

/* In a part of the domain a state as input has a single plane, as long as the output. */
static void size_states(td_buffers *b)
{
    const td_workload *w = b->workload;
    const uint64_t size = w->automaton->state_bytes > 0 ? w->automaton->state_bytes : 1;
    const bool is_whole = b->problem.end_row == 0;
    const uint64_t first = is_whole ? 0 : td_triangle(b->rows.first_row);
    const uint64_t end =
        is_whole ? td_workload_cells(w, &b->problem) : td_triangle(b->rows.end_row);
    b->states = (td_kept){first * size, end * size};
    b->input_bytes = is_whole ? b->input_bytes : b->stored.end - b->stored.first;
}

static td_buffers size(const td_workload *workload, const td_problem *problem)
{
    td_buffers b = {.workload = workload,
                    .problem = *problem,
                    .rows = kept_rows(workload, problem),
                    .input_bytes = td_workload_input_bytes(workload, problem)};
    b.stored = kept_output(workload, problem, &b.rows);
    if (workload->automaton != NULL) {
        size_states(&b);
    }
    return b;
}

static uint64_t bytes_of(td_kept kept)
{
    return kept.end - kept.first;
}

uint64_t td_buffers_bytes(const td_workload *workload, const td_problem *problem)
{
    const td_buffers b = size(workload, problem);
    return (bytes_of(b.stored) + 2 * GUARD_BYTES) * (uint64_t)outputs(workload) +
           2 * bytes_of(b.states) + b.input_bytes;
}

/* ---- opening ---- */

/* The address where the first byte of the whole buffer would be. */
static void *before(void *memory, uint64_t bytes)
{
    return (void *)((uintptr_t)memory - bytes);
}

static td_status check_memory(const td_buffers *b, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    uint64_t available = 0;
    const uint64_t needed = td_buffers_bytes(b->workload, &b->problem);
    TRY(ops->free_memory(b->engine, &available, error));
    if (needed > available) {
        td_start_forget();
        TRY(ops->free_memory(b->engine, &available, error));
    }
    if (needed > available) {
        return td_fail(error, TD_NO_MEMORY, "%s with N = %u needs %s and %s are free",
                       b->workload->name, b->problem.n, td_show_bytes(needed).text,
                       td_show_bytes(available).text);
    }
    return TD_OK;
}

static td_status open_output(td_buffers *b, td_guarded *guarded, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    void *memory = NULL;
    guarded->bytes = bytes_of(b->stored);
    TRY(ops->allocate(b->engine, guarded->bytes + 2 * GUARD_BYTES, &memory, error));
    guarded->memory = memory;
    guarded->kept = guarded->memory + GUARD_BYTES;
    guarded->output = before(guarded->kept, b->stored.first);
    /* This is also needed without verification: automata read a border that is never written, and --dump writes
     * everything that is kept. */
    return ops->fill != NULL ? ops->fill(b->engine, guarded->kept, td_workload_poison(b->workload),
                                         guarded->bytes, error)
                             : TD_OK;
}

static td_status open_input(td_buffers *b, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    void *host = NULL;
    if (b->workload->automaton != NULL) {
        TRY(td_start_open_input(b, error));
        b->input = before(b->input_memory, b->stored.first);
        return TD_OK;
    }
    if (b->input_bytes == 0) {
        return TD_OK;
    }
    TRY(ops->allocate(b->engine, b->input_bytes, &b->input_memory, error));
    TRY(td_buffers_host_input(b, &host, error));
    const td_status status = ops->upload(b->engine, b->input_memory, host, b->input_bytes, error);
    b->input = b->input_memory;
    b->input_digest = td_digest_of(host, b->input_bytes);
    free(host);
    return status;
}

static td_status open_all(td_buffers *b, td_error *error)
{
    TRY(check_memory(b, error));
    TRY(open_input(b, error));
    for (int i = 0; i < outputs(b->workload); i++) {
        TRY(open_output(b, &b->output[i], error));
    }
    td_workload_setup(b->workload, &b->problem, &b->data);
    b->data.input = b->input;
    b->data.origin = b->input;
    if (b->problem.lengths.rows != NULL) {
        b->data.lengths = (const uint32_t *)((const char *)b->input +
                                             td_workload_lengths_at(b->workload, &b->problem));
    }
    b->data.output = b->output[0].output;
    return TD_OK;
}

td_status td_buffers_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                          td_buffers *buffers, td_error *error)
{
    *buffers = size(workload, problem);
    buffers->engine = engine;
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
            data.expected = b->last;
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
        td_start_release(b->engine, b->reference_memory[i]);
    }
    td_start_release(b->engine, b->input_memory);
    free(b->plain);
    *b = (td_buffers){0};
}
