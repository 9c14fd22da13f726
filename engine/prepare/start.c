#include "start.h"

#include <stdlib.h>

#include "engine/core/error.h"

enum {
    MOST_KEPT = 48, /* enough for two sizes of an automaton in all its storages */
    PLENTY = 8      /* keep a copy only if this many times its size is free */
};

/* A state, and the digest of all that it depends on. */
typedef struct kept {
    td_digest key;
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

/*
 * The key of a state.
 *
 * Input   automata: those that have it in common; storage: of a first state, as td_workload_storage; 0: as generated
 */
static td_digest key_of(const void *automata, uint32_t storage, const td_problem *origin)
{
    /* Field by field, because the padding between fields is undefined. */
    const uint64_t fields[] = {(uintptr_t)automata,
                               storage,
                               origin->n,
                               origin->tile,
                               origin->seed,
                               (uint64_t)origin->layout,
                               (uintptr_t)origin->numbers,
                               origin->first_row,
                               (uintptr_t)origin->state,
                               origin->end_row};
    return td_digest_more(td_digest_of(fields, sizeof fields), origin->parameters,
                          sizeof origin->parameters);
}

static td_digest first_key(const td_buffers *b, uint32_t storage)
{
    const td_problem origin = td_workload_origin(b->workload, &b->rows);
    return key_of(b->workload->automaton->variants, storage, &origin);
}

/* All variants of one automaton, and no other automaton, share a table of parameters. Neither the storage nor the tiles
 * change a last state. */
static td_digest last_key(const td_buffers *b)
{
    td_problem origin = td_workload_origin(b->workload, &b->rows);
    td_workload_set_steps(b->workload, &origin, td_workload_steps(b->workload, &b->rows));
    return key_of(b->workload->parameters, 0, &origin);
}

/* NULL: it is not kept. */
static void *find(const td_buffers *b, td_digest key)
{
    for (size_t i = 0; b->engine == all.engine && i < all.count; i++) {
        if (td_digest_is(all.list[i].key, key)) {
            return all.list[i].memory;
        }
    }
    return NULL;
}

/* Keep the memory, if there is plenty. Given input is never kept: later input at the same address may differ. A part of
 * a domain waits for its neighbours' halos in every step, so none may skip steps. */
static void keep(const td_buffers *b, td_digest key, void *memory, uint64_t bytes)
{
    uint64_t available = 0;
    td_error ignored;
    if (!b->engine->ops->can.device_memory || td_problem_is_given(&b->problem) ||
        b->problem.end_row > 0 || all.count == MOST_KEPT ||
        b->engine->ops->free_memory(b->engine, &available, &ignored) != TD_OK ||
        bytes > available / PLENTY) {
        return;
    }
    if (b->engine != all.engine) {
        td_start_forget();
        all.engine = b->engine;
    }
    all.list[all.count++] = (kept){key, memory};
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

/* The first states that are kept of the rows, as given or as generated. */
static td_status first_states(const td_buffers *b, const void **states, td_error *error)
{
    const td_digest key = first_key(b, 0);
    void *memory = NULL;
    if (b->rows.state != NULL) {
        *states = (const char *)b->rows.state + b->states.first;
        return TD_OK;
    }
    if (all.generated.memory == NULL || td_problem_is_given(&b->rows) ||
        !td_digest_is(all.generated.key, key)) {
        forget_generated();
        TRY(td_allocate(&memory, b->states.end - b->states.first, 1, error, "the state of %s",
                        b->workload->name));
        td_workload_start(b->workload, &b->rows, (void *)((uintptr_t)memory - b->states.first));
        all.generated = (kept){key, memory};
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
    const td_digest key = first_key(b, td_workload_storage(b->workload, &b->rows));
    b->input_memory = find(b, key);
    if (b->input_memory != NULL) {
        return TD_OK;
    }
    TRY(b->engine->ops->allocate(b->engine, b->input_bytes, &b->input_memory, error));
    TRY(make_input(b, error));
    keep(b, key, b->input_memory, b->input_bytes);
    return TD_OK;
}

td_status td_start_open_reference(td_buffers *b, td_error *error)
{
    const uint64_t bytes = b->states.end - b->states.first;
    const void *states = NULL;
    b->last = find(b, last_key(b));
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
    b->last = b->reference[i];
    b->reference_ready = true;
    keep(b, last_key(b), b->reference_memory[i], b->states.end - b->states.first);
}
