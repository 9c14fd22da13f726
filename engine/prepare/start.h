/* start.h - the first state of an automaton and the last state of its reference, in an engine's memory. */
#pragma once

#include "engine/engine.h"

/* Part of an array: its offset in the whole, and its length. */
typedef struct td_extent {
    uint64_t first_bytes, bytes;
} td_extent;

/*
 * td_start_open - the first state of the rows of a problem, generated unless the problem has one.
 *
 * If an engine has its own memory, with plenty free, generated states are kept there, in every storage: the groups of a
 * search share them, and making and uploading them takes longer than everything that the groups launch.
 *
 * Input   states, input: the parts of the two arrays that the rows need
 *         reference: room for the states as generated, or as given
 * Output  *memory: the same states in the workload's storage, read-only; *is_kept: the caller must not release it
 * Errors  TD_NO_MEMORY
 */
td_status td_start_open(td_engine *engine, const td_workload *workload, const td_problem *problem,
                        td_extent states, td_extent input, void *reference, void **memory,
                        bool *is_kept, td_error *error);

/*
 * td_start_find_last - the last state of the reference, if it was kept: a search verifies its result under each map,
 * and all maps have the same last state.
 *
 * Input   bytes: of the states that the rows need
 * Output  *reference: that state; *found: false if the state is not known, and then nothing is written
 */
td_status td_start_find_last(td_engine *engine, const td_workload *workload,
                             const td_problem *problem, uint64_t bytes, void *reference,
                             bool *found, td_error *error);

/* Keep a last state for td_start_find_last, under the same conditions as first states. */
td_status td_start_keep_last(td_engine *engine, const td_workload *workload,
                             const td_problem *problem, uint64_t bytes, const void *reference,
                             td_error *error);

/* Release all kept states: before their engine is closed, or if the memory is needed otherwise. */
void td_start_forget(void);
