/*
 * together.h - what the processes that share a domain exchange about a run. All of them call these functions, in the
 * same order; a process that is alone has nothing to exchange.
 */
#pragma once

#include "engine/engine.h"

/*
 * td_halo_swap - exchange rows of a state in the engine's memory through the host's; returns when they have arrived.
 *
 * Input   state: the address where its first element is, or would be
 * Errors  those of the engine's download and upload; TD_NO_MEMORY
 */
td_status td_halo_swap(td_engine *engine, const td_halo *halo, void *state, td_error *error);

/* The counts of a check become those of the whole domain; the first wrong cell is that of the first process that has
 * one. from: which one that is, " on ...", or empty. */
enum { TD_FROM_SIZE = 32 };
void td_add_up_checks(td_engine *engine, td_check_counts *counts, char from[TD_FROM_SIZE]);

/* A run's counts of grids, blocks, threads and bytes become those of the whole domain. */
void td_add_up_counts(td_engine *engine, td_result *result);

/* Fill in result->part_results and transport, unless alone.
 *
 * Input   own_ms: the samples of this process
 * Errors  TD_NO_MEMORY
 */
td_status td_gather_parts(td_engine *engine, const td_execution *execution, const double *own_ms,
                          td_result *result, td_error *error);
