/* automaton_state.h - the state of a cellular automaton, from an engine's buffer or from a pattern. */
#pragma once

#include "rle.h"
#include "engine/needs/buffers.h"

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

/*
 * td_state_place - place a pattern in the middle of a domain, as far from each edge as from the others.
 *
 * Output  state: allocated; the caller frees it
 * Errors  TD_USAGE: it does not fit, with the N that it needs; TD_NO_MEMORY
 */
td_status td_state_place(const td_pattern *pattern, bool square, uint32_t n, uint8_t **state,
                         td_error *error);

/*
 * td_state_check - check that the bytes of a state are valid for a workload.
 *
 * Errors  TD_USAGE, with the first cell that is not
 */
td_status td_state_check(const td_workload *workload, uint32_t n, const uint8_t *state,
                         td_error *error);
