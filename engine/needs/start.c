#include "start.h"

#include <stdlib.h>
#include <string.h>

/* What was made last, and of what. */
static struct {
    const void *family; /* of automata that start alike, NULL: nothing */
    td_problem origin;
    void *states;
    const td_workload *workload; /* which stores its input so, NULL: none does */
    void *input;
} last;

static void forget_input(void)
{
    free(last.input);
    last.input = NULL;
    last.workload = NULL;
}

void td_start_forget(void)
{
    forget_input();
    free(last.states);
    last.states = NULL;
    last.family = NULL;
}

static td_status no_memory(const td_workload *workload, uint64_t bytes, td_error *error)
{
    return td_fail(error, TD_NO_MEMORY,
                   "cannot allocate %llu bytes on the host for the state of %s",
                   (unsigned long long)bytes, workload->name);
}

/* What was handed in may be something else at the same place; padding that differs is no more than work done twice. */
static bool is_last(const td_workload *workload, const td_problem *problem)
{
    const td_problem origin = td_workload_origin(workload, problem);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    const bool is_alike = memcmp(&origin, &last.origin, sizeof origin) == 0;
    return is_alike && last.family == workload->automaton->family && !td_problem_is_given(problem);
}

static td_status make_states(const td_workload *workload, const td_problem *problem,
                             td_extent states, td_error *error)
{
    td_start_forget();
    if (problem->state == NULL) {
        last.states = malloc(states.bytes);
        if (last.states == NULL) {
            return no_memory(workload, states.bytes, error);
        }
        td_workload_start(workload, problem, (void *)((uintptr_t)last.states - states.first_bytes));
    }
    last.family = workload->automaton->family;
    last.origin = td_workload_origin(workload, problem);
    return TD_OK;
}

static td_status make_input(const td_workload *workload, const td_problem *problem,
                            td_extent states, td_extent input, td_error *error)
{
    td_problem rows = *problem;
    forget_input();
    last.input = calloc(input.bytes, 1);
    if (last.input == NULL) {
        return no_memory(workload, input.bytes, error);
    }
    if (problem->state == NULL) {
        rows.state = (void *)((uintptr_t)last.states - states.first_bytes);
    }
    td_workload_fill(workload, &rows, (void *)((uintptr_t)last.input - input.first_bytes));
    last.workload = workload;
    return TD_OK;
}

td_status td_start_make(const td_workload *workload, const td_problem *problem, td_extent states,
                        td_extent input, td_start *start, td_error *error)
{
    if (!is_last(workload, problem)) {
        TRY(make_states(workload, problem, states, error));
    }
    if (last.workload != workload) {
        TRY(make_input(workload, problem, states, input, error));
    }
    start->states =
        problem->state != NULL ? (const char *)problem->state + states.first_bytes : last.states;
    start->input = last.input;
    return TD_OK;
}
