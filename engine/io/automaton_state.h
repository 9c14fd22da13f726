/* automaton_state.h - the state of a cellular automaton from a file. */
#pragma once

#include "npy.h"
#include "workloads/workload.h"

/*
 * td_state_check - check that the bytes of a state are valid for a workload.
 *
 * Errors  TD_USAGE, with the first cell that is not
 */
td_status td_state_check(const td_workload *workload, td_state_form form, uint32_t n,
                         const uint8_t *state, td_error *error);
