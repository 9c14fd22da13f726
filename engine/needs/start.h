/* start.h - the first state of an automaton and the last of its reference, in the memory of an engine. */
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

/*
 * td_start_find_last - the last state of the reference, where it was kept: a search verifies what it found under each
 * map, and all of them end alike.
 *
 * Input   bytes: of the states that the rows need
 * Output  *reference: that state; *found: false, and nothing is written, where it is not known
 */
td_status td_start_find_last(td_engine *engine, const td_workload *workload,
                             const td_problem *problem, uint64_t bytes, void *reference,
                             bool *found, td_error *error);

/* Keep what td_start_find_last finds, under the same conditions as first states. */
td_status td_start_keep_last(td_engine *engine, const td_workload *workload,
                             const td_problem *problem, uint64_t bytes, const void *reference,
                             td_error *error);

/* Release what is kept: before its engine is closed, or where others need the memory. */
void td_start_forget(void);

#endif
