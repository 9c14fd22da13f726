/* automaton_state.h - the state of a cellular automaton, from an engine's buffer or from a file. */
#pragma once

#include "npy.h"
#include "engine/prepare/buffers.h"

/*
 * td_state_download - download a state, one element per cell, row by row of the domain, whatever the workload's own
 * storage.
 *
 * Input   from: a buffer of `buffers` that holds a state
 * Output  state: td_workload_saved_bytes; for a part of the domain only its rows are written, and the others need not
 *         exist
 * Errors  TD_NO_MEMORY, those of the engine
 */
td_status td_state_download(const td_buffers *buffers, const void *from, void *state,
                            td_error *error);

/* td_state_rows - the same for the rows of a problem, whose stored bytes begin `first` bytes after `from`. */
td_status td_state_rows(const td_buffers *buffers, const td_problem *rows, const void *from,
                        uint64_t first, uint64_t bytes, void *state, td_error *error);

/*
 * td_state_check - check that the bytes of a state are valid for a workload.
 *
 * Errors  TD_USAGE, with the first cell that is not
 */
td_status td_state_check(const td_workload *workload, td_state_form form, uint32_t n,
                         const uint8_t *state, td_error *error);
