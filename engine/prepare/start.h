/*
 * start.h - a cache of states: the first state of an automaton and the last state of its reference.
 *
 * The first state that was generated last stays on the host. If an engine has its own memory, with plenty free, first
 * states are kept there in every storage, and last states as well. The groups of a search share them: making and
 * uploading them takes longer than all that the groups launch.
 */
#pragma once

#include "buffers.h"

/*
 * td_start_open_input - the first state in the workload's storage, generated unless the problem has one.
 *
 * Output  buffers: input_memory
 * Errors  TD_NO_MEMORY
 */
td_status td_start_open_input(td_buffers *buffers, td_error *error);

/*
 * td_start_open_reference - the last state of the reference, if it is in the cache: a search verifies its results under
 * each map, and all maps have the same last state. Otherwise memory for two states, the first of which is there.
 *
 * Output  buffers: last and reference_ready; or reference
 * Errors  TD_NO_MEMORY
 */
td_status td_start_open_reference(td_buffers *buffers, td_error *error);

/* The reference has its last state: buffers->last is there, and stays in the cache. */
void td_start_keep_last(td_buffers *buffers);

/* Release memory of buffers, unless it is in the cache; NULL is fine. */
void td_start_release(td_engine *engine, void *memory);

/* Empty the cache: before its engine is closed, or if the memory is needed otherwise. */
void td_start_forget(void);
