#include "start.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/parameter.h"

enum {
    MOST_KEPT = 48, /* enough for two sizes of an automaton in all its storages */
    PLENTY = 8      /* keep a copy only if this many times its size is free */
};

/* What a state depends on, and the state. */
typedef struct kept {
    const void
        *automata; /* those that have it in common: a family, or for a last state one automaton */
    uint32_t storage;  /* as td_workload_storage; 0: as generated */
    td_problem origin; /* its steps are 0, except for a last state */
    void *memory;      /* of the engine */
    void *host; /* a first state as generated, from which other storages are made; else NULL */
} kept;

static struct {
    td_engine *engine;
    kept list[MOST_KEPT];
    size_t count;
} all;

void td_start_forget(void)
{
    while (all.count > 0) {
        const kept *last = &all.list[--all.count];
        all.engine->ops->release(all.engine, last->memory);
        free(last->host);
    }
}

/* Compares field by field, because the padding between fields is undefined. */
static bool are_alike(const td_problem *a, const td_problem *b)
{
    return a->n == b->n && a->tile == b->tile && a->layout == b->layout && a->seed == b->seed &&
           td_parameters_are_same(a->parameters, b->parameters) && a->points == b->points &&
           a->image == b->image && a->state == b->state && a->first_row == b->first_row &&
           a->end_row == b->end_row;
}

static const kept *find(const td_engine *engine, const kept *wanted)
{
    for (size_t i = 0; engine == all.engine && i < all.count; i++) {
        const kept *k = &all.list[i];
        if (k->automata == wanted->automata && k->storage == wanted->storage &&
            are_alike(&k->origin, &wanted->origin)) {
            return k;
        }
    }
    return NULL;
}

/* Given input is never kept: later input at the same address may differ. */
static bool may_keep(const td_buffers *b, uint64_t bytes)
{
    uint64_t available = 0;
    td_error ignored;
    return b->engine->ops->can.device_memory && !td_problem_is_given(&b->problem) &&
           all.count < MOST_KEPT &&
           b->engine->ops->free_memory(b->engine, &available, &ignored) == TD_OK &&
           bytes <= available / PLENTY;
}

static void keep(td_engine *engine, const kept *one)
{
    if (engine != all.engine) {
        td_start_forget();
        all.engine = engine;
    }
    all.list[all.count++] = *one;
}

/* Keep a copy of states in the engine's memory, and *host, which then is no longer the caller's. */
static td_status keep_copy(const td_buffers *b, kept one, const void *states, uint64_t bytes,
                           void **host, td_error *error)
{
    if (!may_keep(b, bytes)) {
        return TD_OK;
    }
    TRY(b->engine->ops->allocate(b->engine, bytes, &one.memory, error));
    one.host = *host;
    *host = NULL;
    keep(b->engine, &one);
    return b->engine->ops->upload(b->engine, one.memory, states, bytes, error);
}

static kept first_state(const td_buffers *b, uint32_t storage)
{
    return (kept){.automata = b->workload->automaton->family,
                  .storage = storage,
                  .origin = td_workload_origin(b->workload, &b->rows)};
}

/* states: the kept ones, on the host; *made: the caller frees them, unless they are kept or given. */
static td_status open_reference(td_buffers *b, const void **states, void **made, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    const kept wanted = first_state(b, 0);
    const kept *known = find(b->engine, &wanted);
    const uint64_t bytes = b->states.end - b->states.first;
    if (known != NULL) {
        *states = known->host;
        return ops->upload(b->engine, b->reference_memory[0], known->memory, bytes, error);
    }
    if (b->rows.state != NULL) {
        *states = (const char *)b->rows.state + b->states.first;
    } else {
        TRY(td_allocate(made, bytes, 1, error, "the state of %s", b->workload->name));
        td_workload_start(b->workload, &b->rows, (void *)((uintptr_t)*made - b->states.first));
        *states = *made;
    }
    TRY(ops->upload(b->engine, b->reference_memory[0], *states, bytes, error));
    return keep_copy(b, wanted, b->reference_memory[0], bytes, made, error);
}

static td_status open_input(td_buffers *b, const void *states, td_error *error)
{
    const td_engine_ops *ops = b->engine->ops;
    kept wanted = first_state(b, td_workload_storage(b->workload, &b->rows));
    const kept *known = find(b->engine, &wanted);
    td_problem rows = b->rows;
    void *host = NULL;
    if (known != NULL) {
        b->input_memory = known->memory;
        b->input_is_cached = true;
        return TD_OK;
    }
    TRY(ops->allocate(b->engine, b->input_bytes, &b->input_memory, error));
    TRY(td_allocate(&host, b->input_bytes, 1, error, "the state of %s", b->workload->name));
    rows.state = (const void *)((uintptr_t)states - b->states.first);
    td_workload_fill(b->workload, &rows, (void *)((uintptr_t)host - b->stored.first));
    const td_status status = ops->upload(b->engine, b->input_memory, host, b->input_bytes, error);
    free(host);
    if (status == TD_OK && may_keep(b, b->input_bytes)) {
        wanted.memory = b->input_memory;
        b->input_is_cached = true;
        keep(b->engine, &wanted);
    }
    return status;
}

td_status td_start_open(td_buffers *b, td_error *error)
{
    const void *states = NULL;
    void *made = NULL;
    td_status status = open_reference(b, &states, &made, error);
    if (status == TD_OK) {
        status = open_input(b, states, error);
    }
    free(made);
    return status;
}

/* All variants of one automaton, and no other automaton, share a table of parameters. Neither the storage nor the tiles
 * change a last state. */
static kept last_state(const td_buffers *b)
{
    kept last = {.automata = b->workload->parameters,
                 .origin = td_workload_origin(b->workload, &b->rows)};
    td_workload_set_steps(b->workload, &last.origin, td_workload_steps(b->workload, &b->rows));
    return last;
}

/* A part of a domain waits for its neighbours' halos in every step, so none may skip steps. */
static bool is_whole(const td_buffers *b)
{
    return b->problem.end_row == 0;
}

td_status td_start_find_last(td_buffers *b, td_error *error)
{
    const kept wanted = last_state(b);
    const kept *known = is_whole(b) ? find(b->engine, &wanted) : NULL;
    void *last = td_buffers_last(b);
    b->reference_ready = known != NULL;
    return known != NULL
               ? b->engine->ops->upload(b->engine, last, known->memory, b->last_bytes, error)
               : TD_OK;
}

td_status td_start_keep_last(td_buffers *b, td_error *error)
{
    void *host = NULL;
    b->reference_ready = true;
    return is_whole(b)
               ? keep_copy(b, last_state(b), td_buffers_last(b), b->last_bytes, &host, error)
               : TD_OK;
}
