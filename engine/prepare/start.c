#include "start.h"

#include <stdlib.h>

#include "engine/core/error.h"

enum {
    MOST_KEPT = 48, /* enough for two sizes of an automaton in all its storages */
    PLENTY = 8      /* keep a copy only if this many times its size is free */
};

/* What a state depends on, and the state. */
typedef struct kept {
    const void
        *automata; /* those that have it in common: a family, or for a last state one automaton */
    uint32_t storage;  /* of a first state, as td_workload_storage; 0: as generated */
    td_problem origin; /* its steps are 0, except for a last state */
    void *memory;
} kept;

static struct {
    td_engine *engine;
    kept list[MOST_KEPT]; /* in the engine's memory */
    size_t count;
    kept generated; /* last, on the host; other storages are made from it */
} all;

static void forget_generated(void)
{
    free(all.generated.memory);
    all.generated.memory = NULL;
}

void td_start_forget(void)
{
    forget_generated();
    while (all.count > 0) {
        all.engine->ops->release(all.engine, all.list[--all.count].memory);
    }
}

/* Compares field by field, because the padding between fields is undefined; reals by their bits, which fill a value as
 * a count does. */
static bool are_alike(const td_problem *a, const td_problem *b)
{
    bool alike = a->n == b->n && a->tile == b->tile && a->layout == b->layout &&
                 a->seed == b->seed && a->numbers == b->numbers && a->state == b->state &&
                 a->first_row == b->first_row && a->end_row == b->end_row;
    for (size_t p = 0; p < TD_PARAMETERS; p++) {
        alike = alike && a->parameters[p].count == b->parameters[p].count;
    }
    return alike;
}

static bool are_same(const kept *a, const kept *b)
{
    return a->automata == b->automata && a->storage == b->storage &&
           are_alike(&a->origin, &b->origin);
}

static bool is_whole(const td_buffers *b)
{
    return b->problem.end_row == 0;
}

/* NULL: it is not kept. */
static void *find(const td_buffers *b, const kept *wanted)
{
    size_t i = 0;
    while (i < all.count && !are_same(&all.list[i], wanted)) {
        i++;
    }
    return b->engine == all.engine && is_whole(b) && i < all.count ? all.list[i].memory : NULL;
}

/* Keep the memory, if there is plenty. Given input is never kept: later input at the same address may differ. A part of
 * a domain waits for its neighbours' halos in every step, so none may skip steps. */
static void keep(const td_buffers *b, kept one, uint64_t bytes)
{
    uint64_t available = 0;
    td_error ignored;
    if (!b->engine->ops->can.device_memory || td_problem_is_given(&b->problem) || !is_whole(b) ||
        all.count == MOST_KEPT ||
        b->engine->ops->free_memory(b->engine, &available, &ignored) != TD_OK ||
        bytes > available / PLENTY) {
        return;
    }
    if (b->engine != all.engine) {
        td_start_forget();
        all.engine = b->engine;
    }
    all.list[all.count++] = one;
}

void td_start_release(td_engine *engine, void *memory)
{
    size_t i = 0;
    while (i < all.count && all.list[i].memory != memory) {
        i++;
    }
    if (i == all.count) {
        engine->ops->release(engine, memory);
    }
}

static kept first_state(const td_buffers *b, uint32_t storage)
{
    return (kept){.automata = b->workload->automaton->variants,
                  .storage = storage,
                  .origin = td_workload_origin(b->workload, &b->rows)};
}

/* The first states that are kept of the rows, as given or as generated. */
static td_status first_states(const td_buffers *b, const void **states, td_error *error)
{
    kept wanted = first_state(b, 0);
    if (b->rows.state != NULL) {
        *states = (const char *)b->rows.state + b->states.first;
        return TD_OK;
    }
    if (all.generated.memory == NULL || td_problem_is_given(&b->rows) ||
        !are_same(&all.generated, &wanted)) {
        forget_generated();
        TRY(td_allocate(&wanted.memory, b->states.end - b->states.first, 1, error,
                        "the state of %s", b->workload->name));
        td_workload_start(b->workload, &b->rows,
                          (void *)((uintptr_t)wanted.memory - b->states.first));
        all.generated = wanted;
    }
    *states = all.generated.memory;
    return TD_OK;
}

/* Make the first state in the workload's storage, and upload it. */
static td_status make_input(const td_buffers *b, td_error *error)
{
    const void *states = NULL;
    void *host = NULL;
    td_problem rows = b->rows;
    TRY(first_states(b, &states, error));
    TRY(td_allocate(&host, b->input_bytes, 1, error, "the state of %s", b->workload->name));
    rows.state = (const void *)((uintptr_t)states - b->states.first);
    td_workload_fill(b->workload, &rows, (void *)((uintptr_t)host - b->stored.first));
    const td_status status =
        b->engine->ops->upload(b->engine, b->input_memory, host, b->input_bytes, error);
    free(host);
    return status;
}

td_status td_start_open_input(td_buffers *b, td_error *error)
{
    kept wanted = first_state(b, td_workload_storage(b->workload, &b->rows));
    b->input_memory = find(b, &wanted);
    if (b->input_memory != NULL) {
        return TD_OK;
    }
    TRY(b->engine->ops->allocate(b->engine, b->input_bytes, &b->input_memory, error));
    TRY(make_input(b, error));
    wanted.memory = b->input_memory;
    keep(b, wanted, b->input_bytes);
    return TD_OK;
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

td_status td_start_open_reference(td_buffers *b, td_error *error)
{
    const kept wanted = last_state(b);
    const uint64_t bytes = b->states.end - b->states.first;
    const void *states = NULL;
    b->last = find(b, &wanted);
    b->reference_ready = b->last != NULL;
    if (b->reference_ready) {
        return TD_OK;
    }
    for (int i = 0; i < 2 && b->reference_memory[i] == NULL; i++) {
        TRY(b->engine->ops->allocate(b->engine, bytes, &b->reference_memory[i], error));
        b->reference[i] = (void *)((uintptr_t)b->reference_memory[i] - b->states.first);
    }
    TRY(first_states(b, &states, error));
    return b->engine->ops->upload(b->engine, b->reference_memory[0], states, bytes, error);
}

void td_start_keep_last(td_buffers *b)
{
    const uint32_t i = td_workload_steps(b->workload, &b->problem) % 2;
    kept last = last_state(b);
    last.memory = b->reference_memory[i];
    b->last = b->reference[i];
    b->reference_ready = true;
    keep(b, last, b->states.end - b->states.first);
}
