#include "start.h"

#include <stdlib.h>
#include <string.h>

/* What was made last, and of what. */
static struct {
    const td_workload *workload; /* NULL: nothing */
    td_problem problem;
    void *states, *input;
} last;

static void forget(void)
{
    free(last.states);
    free(last.input);
    last.states = last.input = NULL;
    last.workload = NULL;
}

/* What was handed in may be something else at the same place. */
static bool is_generated(const td_problem *problem)
{
    return problem->state == NULL && problem->points == NULL && problem->image == NULL;
}

/* All that a first state hangs on: neither on how many generations follow, nor on who computes what of them. */
static td_problem origin_of(const td_workload *workload, const td_problem *problem)
{
    td_problem origin = *problem;
    td_workload_set_steps(workload, &origin, 0);
    origin.tile = 0;
    return origin;
}

static td_status make(const td_workload *workload, const td_problem *problem, td_extent states,
                      td_extent input, td_error *error)
{
    td_problem rows = *problem;
    const bool is_given = problem->state != NULL;
    last.states = is_given ? NULL : malloc(states.bytes);
    last.input = calloc(input.bytes, 1);
    if (last.input == NULL || (!is_given && last.states == NULL)) {
        forget();
        return td_fail(
            error, TD_NO_MEMORY, "cannot allocate %llu bytes on the host for the state of %s",
            (unsigned long long)input.bytes + (is_given ? 0ULL : states.bytes), workload->name);
    }
    if (!is_given) {
        void *const first = (void *)((uintptr_t)last.states - states.first_bytes);
        td_workload_start(workload, problem, first);
        rows.state = first;
    }
    td_workload_fill(workload, &rows, (void *)((uintptr_t)last.input - input.first_bytes));
    last.workload = is_generated(problem) ? workload : NULL;
    last.problem = origin_of(workload, problem);
    return TD_OK;
}

/* Padding that differs costs no more than making it again. */
static bool is_last(const td_workload *workload, const td_problem *problem)
{
    const td_problem origin = origin_of(workload, problem);
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    return last.workload == workload && memcmp(&origin, &last.problem, sizeof origin) == 0;
}

td_status td_start_make(const td_workload *workload, const td_problem *problem, td_extent states,
                        td_extent input, td_start *start, td_error *error)
{
    if (!is_last(workload, problem)) {
        forget();
        TRY(make(workload, problem, states, input, error));
    }
    start->states =
        problem->state != NULL ? (const char *)problem->state + states.first_bytes : last.states;
    start->input = last.input;
    return TD_OK;
}
