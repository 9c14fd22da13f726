#include "start.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core/error.h"
#include "engine/core/parameter.h"

enum {
    MOST_KEPT = 48, /* enough for two sizes of an automaton in all its storages */
    PLENTY = 8      /* keep a copy only if this many times its size is free */
};

typedef struct kept {
    const void *family; /* the automata that start alike; for a last state, the automaton */
    uint32_t storage;   /* as td_workload_storage; 0: states as they are generated */
    td_problem origin;  /* its steps are 0, except for a last state */
    void *memory;
} kept;

/* Copies kept on an engine, and the states generated last, on the host, from which other storages are made. */
static struct {
    td_engine *engine;
    kept list[MOST_KEPT];
    size_t count;
    const void *family; /* of the states on the host; NULL: there are none */
    td_problem origin;
    void *states;
} all;

static void forget_states(void)
{
    free(all.states);
    all.states = NULL;
    all.family = NULL;
}

static void release_all(void)
{
    while (all.count > 0) {
        all.engine->ops->release(all.engine, all.list[--all.count].memory);
    }
}

void td_start_forget(void)
{
    forget_states();
    release_all();
}

/* Compares field by field, because the padding between fields is undefined. */
static bool are_alike(const td_problem *a, const td_problem *b)
{
    return a->n == b->n && a->tile == b->tile && a->layout == b->layout && a->seed == b->seed &&
           td_parameters_are_same(a->parameters, b->parameters) && a->points == b->points &&
           a->image == b->image && a->state == b->state && a->first_row == b->first_row &&
           a->end_row == b->end_row;
}

static void *find(const td_engine *engine, const void *family, uint32_t storage,
                  const td_problem *origin)
{
    for (size_t i = 0; engine == all.engine && i < all.count; i++) {
        const kept *k = &all.list[i];
        if (k->family == family && k->storage == storage && are_alike(&k->origin, origin)) {
            return k->memory;
        }
    }
    return NULL;
}

/* Given input is never kept: later input at the same address may differ. */
static bool may_keep(td_engine *engine, const td_problem *problem, uint64_t bytes)
{
    uint64_t available = 0;
    td_error ignored;
    return engine->ops->can.device_memory && !td_problem_is_given(problem) &&
           all.count < MOST_KEPT &&
           engine->ops->free_memory(engine, &available, &ignored) == TD_OK &&
           bytes <= available / PLENTY;
}

static void keep(td_engine *engine, const void *family, uint32_t storage, const td_problem *origin,
                 void *memory)
{
    if (engine != all.engine) {
        release_all();
        all.engine = engine;
    }
    all.list[all.count++] = (kept){family, storage, *origin, memory};
}

/* Keep a copy of states as they are generated; `states` is in the engine's memory. */
static td_status keep_copy(td_engine *engine, const void *family, const td_problem *origin,
                           const void *states, uint64_t bytes, td_error *error)
{
    void *memory = NULL;
    if (!may_keep(engine, origin, bytes)) {
        return TD_OK;
    }
    TRY(engine->ops->allocate(engine, bytes, &memory, error));
    keep(engine, family, 0, origin, memory);
    return engine->ops->upload(engine, memory, states, bytes, error);
}

/* Make the states on the host; *made is the first byte that is needed. */
static td_status make_states(const td_workload *workload, const td_problem *problem,
                             td_extent states, const char **made, td_error *error)
{
    const td_problem origin = td_workload_origin(workload, problem);
    if (problem->state != NULL) {
        *made = (const char *)problem->state + states.first_bytes;
        return TD_OK;
    }
    if (all.family != workload->automaton->family || !are_alike(&all.origin, &origin) ||
        td_problem_is_given(problem)) {
        forget_states();
        TRY(td_allocate(&all.states, states.bytes, 1, error, "the state of %s", workload->name));
        td_workload_start(workload, problem, (void *)((uintptr_t)all.states - states.first_bytes));
        all.family = workload->automaton->family;
        all.origin = origin;
    }
    *made = all.states;
    return TD_OK;
}

static td_status open_states(td_engine *engine, const td_workload *workload,
                             const td_problem *problem, td_extent states, void *reference,
                             td_error *error)
{
    const td_problem origin = td_workload_origin(workload, problem);
    const void *family = workload->automaton->family;
    const void *known = find(engine, family, 0, &origin);
    if (known != NULL) {
        return engine->ops->upload(engine, reference, known, states.bytes, error);
    }
    const char *made = NULL;
    TRY(make_states(workload, problem, states, &made, error));
    TRY(engine->ops->upload(engine, reference, made, states.bytes, error));
    return keep_copy(engine, family, &origin, reference, states.bytes, error);
}

/* Make the input on the host and upload it. */
static td_status upload_input(td_engine *engine, const td_workload *workload,
                              const td_problem *problem, td_extent states, td_extent input,
                              void *memory, td_error *error)
{
    const char *made = NULL;
    td_problem rows = *problem;
    TRY(make_states(workload, problem, states, &made, error));
    void *host = NULL;
    TRY(td_allocate(&host, input.bytes, 1, error, "the state of %s", workload->name));
    rows.state = (void *)((uintptr_t)made - states.first_bytes);
    td_workload_fill(workload, &rows, (void *)((uintptr_t)host - input.first_bytes));
    const td_status status = engine->ops->upload(engine, memory, host, input.bytes, error);
    free(host);
    return status;
}

td_status td_start_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                        td_extent states, td_extent input, void *reference, void **memory,
                        bool *is_kept, td_error *error)
{
    const td_problem origin = td_workload_origin(workload, problem);
    const void *family = workload->automaton->family;
    const uint32_t storage = td_workload_storage(workload, problem);
    TRY(open_states(engine, workload, problem, states, reference, error));
    *memory = find(engine, family, storage, &origin);
    *is_kept = *memory != NULL;
    if (*is_kept) {
        return TD_OK;
    }
    TRY(engine->ops->allocate(engine, input.bytes, memory, error));
    TRY(upload_input(engine, workload, problem, states, input, *memory, error));
    if (may_keep(engine, problem, input.bytes)) {
        keep(engine, family, storage, &origin, *memory);
        *is_kept = true;
    }
    if (!engine->ops->can.device_memory || td_problem_is_given(problem)) {
        forget_states(); /* they take the memory that the engine needs, or cannot be used again */
    }
    return TD_OK;
}

/* A pointer that all variants of one automaton share, and no other automaton has. */
static const void *automaton_of(const td_workload *workload)
{
    return workload->parameters;
}

/* Everything that a last state depends on: not its storage, and not the tiles. */
static td_problem ending(const td_workload *workload, const td_problem *problem)
{
    td_problem origin = td_workload_origin(workload, problem);
    td_workload_set_steps(workload, &origin, td_workload_steps(workload, problem));
    return origin;
}

/* A part of a domain does not use kept last states: it waits for its neighbours' halos in every step, so none may skip
 * steps. */
static bool is_whole(const td_problem *problem)
{
    return problem->end_row == 0;
}

td_status td_start_find_last(td_engine *engine, const td_workload *workload,
                             const td_problem *problem, uint64_t bytes, void *reference,
                             bool *found, td_error *error)
{
    const td_problem origin = ending(workload, problem);
    const void *known = is_whole(problem) ? find(engine, automaton_of(workload), 0, &origin) : NULL;
    *found = known != NULL;
    return *found ? engine->ops->upload(engine, reference, known, bytes, error) : TD_OK;
}

td_status td_start_keep_last(td_engine *engine, const td_workload *workload,
                             const td_problem *problem, uint64_t bytes, const void *reference,
                             td_error *error)
{
    const td_problem origin = ending(workload, problem);
    return is_whole(problem)
               ? keep_copy(engine, automaton_of(workload), &origin, reference, bytes, error)
               : TD_OK;
}
