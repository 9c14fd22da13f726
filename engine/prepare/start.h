/*
 * start.h - a cache of states: the first state of an automaton and the last state of its reference.
 *
 * If an engine has its own memory, with plenty free, generated states are kept there, in every storage, and last states
 * as well. The groups of a search share them: making and uploading them takes longer than all that the groups launch.
 */
#pragma once

#include "buffers.h"

/*
 * td_start_open - the first state, generated unless the problem has one: in the reference as generated, and in the
 * workload's storage as input.
 *
 * Output  buffers: contents of reference[0]; input_memory, which is read-only if input_is_cached
 * Errors  TD_NO_MEMORY
 */
td_status td_start_open(td_buffers *buffers, td_error *error);

/*
 * td_start_find_last - the last state of the reference, if it is in the cache: a search verifies its results under each
 * map, and all maps have the same last state.
 *
 * Output  buffers: reference_ready, and the state in the reference
 */
td_status td_start_find_last(td_buffers *buffers, td_error *error);

/* The reference has its last state: keep a copy for td_start_find_last. */
td_status td_start_keep_last(td_buffers *buffers, td_error *error);

/* Empty the cache: before its engine is closed, or if the memory is needed otherwise. */
void td_start_forget(void);
