/* start.h - the first state of an automaton, in the memory of an engine. */
#ifndef TD_ENGINE_NEEDS_START_H
#define TD_ENGINE_NEEDS_START_H

#include "engine/engine.h"

/* Part of an array: where it begins in the whole, and how long it is. */
typedef struct td_extent {
    uint64_t first_bytes, bytes;
} td_extent;

/*
 * td_start_open - the first state of the rows of a problem, generated unless it has one.
 *
 * On an engine with memory of its own that has plenty of it, what was generated is kept there, in every storage: the
 * groups of a search have it in common, and to make it and send it takes longer than all that they launch.
 *
 * Input   states, input: what of the two arrays the rows need
 *         reference: room for the states as they are generated, or were given
 * Output  *memory: the same as the workload stores it, which nobody may write; *is_kept: the caller must not release it
 * Errors  TD_NO_MEMORY
 */
td_status td_start_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                        td_extent states, td_extent input, void *reference, void **memory,
                        bool *is_kept, td_error *error);

/* Release what is kept: before its engine is closed, or where others need the memory. */
void td_start_forget(void);

#endif
