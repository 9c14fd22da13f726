#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"

enum {
    GUARD_BYTES = 1 << 16, /* more than a block's row of cells; keeps the output's alignment */
    GUARD_BYTE = 0x5c
};

static uint64_t output_bytes(const td_workload *workload, const td_problem *problem)
{
    return workload->output_elements(problem) * td_element_bytes(workload->element);
}

static uint64_t input_bytes(const td_workload *workload, const td_problem *problem)
{
    return workload->input_bytes != NULL ? workload->input_bytes(problem) : 0;
}

static int outputs(const td_workload *workload)
{
    return workload->generations > 0 ? 2 : 1;
}

uint64_t td_buffers_bytes(const td_workload *workload, const td_problem *problem)
{
    const uint64_t output = output_bytes(workload, problem);
    const uint64_t guarded = (output + 2 * GUARD_BYTES) * (uint64_t)outputs(workload);
    const uint64_t reference =
        workload->generations > 0 ? 2 * td_workload_cells(workload, problem) : 0;
    return guarded + reference + input_bytes(workload, problem);
}

static td_status check_memory(td_engine *engine, const td_workload *workload,
                              const td_problem *problem, td_error *error)
{
    uint64_t available = 0;
    const uint64_t needed = td_buffers_bytes(workload, problem);
    TRY(engine->ops->free_memory(engine, &available, error));
    if (needed > available) {
        return td_fail(error, TD_NO_MEMORY, "%s with N = %u needs %llu bytes and %llu are free",
                       workload->name, problem->n, (unsigned long long)needed,
                       (unsigned long long)available);
    }
    return TD_OK;
}

static td_status open_output(td_buffers *b, td_guarded *guarded, td_error *error)
{
    void *memory = NULL;
    guarded->bytes = output_bytes(b->workload, &b->problem);
    TRY(b->engine->ops->allocate(b->engine, guarded->bytes + 2 * GUARD_BYTES, &memory, error));
    guarded->memory = memory;
    guarded->output = guarded->memory + GUARD_BYTES;
    return TD_OK;
}

/* The first state as bytes goes to the reference, and in the workload's own storage to `input`. */
static td_status open_state(td_buffers *b, void *input, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    const uint64_t bytes = td_workload_cells(b->workload, &b->problem);
    td_problem problem = b->problem;
    uint8_t *generated = NULL;
    for (int i = 0; i < 2; i++) {
        TRY(ops->allocate(b->engine, bytes, &b->reference[i], error));
    }
    if (problem.state == NULL) {
        generated = malloc(bytes);
        if (generated == NULL) {
            return td_fail(error, TD_NO_MEMORY,
                           "cannot allocate %llu bytes on the host for the state of %s",
                           (unsigned long long)bytes, b->workload->name);
        }
        b->workload->start(&problem, generated);
        problem.state = generated;
    }
    b->workload->fill(&problem, input);
    const td_status status = ops->upload(b->engine, b->reference[0], problem.state, bytes, error);
    free(generated);
    return status;
}

static td_status open_input(td_buffers *b, td_error *error)
{
    b->input_bytes = input_bytes(b->workload, &b->problem);
    if (b->input_bytes == 0) {
        return TD_OK;
    }
    void *host = malloc(b->input_bytes);
    if (host == NULL) {
        return td_fail(error, TD_NO_MEMORY,
                       "cannot allocate %llu bytes on the host for the input of %s",
                       (unsigned long long)b->input_bytes, b->workload->name);
    }
    td_status status = TD_OK;
    if (b->workload->generations > 0) {
        status = open_state(b, host, error);
    } else {
        b->workload->fill(&b->problem, host);
    }
    if (status == TD_OK) {
        status = b->engine->ops->allocate(b->engine, b->input_bytes, &b->input, error);
    }
    if (status == TD_OK) {
        status = b->engine->ops->upload(b->engine, b->input, host, b->input_bytes, error);
    }
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
    b->workload->setup(&b->problem, &b->data);
    b->data.input = b->input;
    b->data.output = b->output[0].output;
    return TD_OK;
}

td_status td_buffers_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                          td_buffers *buffers, td_error *error)
{
    const td_buffers empty = {0};
    *buffers = empty;
    buffers->engine = engine;
    buffers->workload = workload;
    buffers->problem = *problem;
    const td_status status = open_all(buffers, error);
    if (status != TD_OK) {
        td_buffers_close(buffers);
    }
    return status;
}

td_status td_buffers_poison(td_buffers *b, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    for (int i = 0; i < outputs(b->workload); i++) {
        const td_guarded *g = &b->output[i];
        TRY(ops->fill(b->engine, g->memory, GUARD_BYTE, GUARD_BYTES, error));
        TRY(ops->fill(b->engine, g->output, b->workload->poison, g->bytes, error));
        if (b->workload->dead_halo) { /* poison 0, and the cells by themselves */
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
        b->engine->ops->release(b->engine, b->reference[i]);
    }
    b->engine->ops->release(b->engine, b->input);
    const td_buffers empty = {0};
    *b = empty;
}
