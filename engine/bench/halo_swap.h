/* halo_swap.h - swap the rows at a cut with the neighbours, through the host's memory and MPI. */
#pragma once

#include "engine/engine.h"

/*
 * td_halo_swap - exchange rows of a state in the engine's memory; returns when they have arrived.
 *
 * Input   state: the address where its first element is, or would be
 * Errors  those of the engine's download and upload; TD_NO_MEMORY
 */
td_status td_halo_swap(td_engine *engine, const td_halo *halo, void *state, td_error *error);
