/*
 * together.h - what the processes that share a domain tell each other about a run. All of them call these functions, in
 * the same order; a process that is alone has nothing to tell.
 */
#pragma once

#include "engine/engine.h"

bool td_is_alone(const td_engine *engine);

/* Whether all can go on: the status, and the sentence, of the first one that cannot. */
td_status td_agree(td_engine *engine, td_status status, td_error *error);

/* The largest value of all. */
double td_largest(td_engine *engine, double value);

/* Wait until all are here. */
void td_meet(td_engine *engine);

/* A run's counts of grids, blocks, threads and bytes become those of the whole domain. */
void td_add_up_counts(td_engine *engine, td_result *result);

/* Fill in result->part_results and transport, unless alone. own_ms: the samples of this process. */
void td_gather_parts(td_engine *engine, const td_run *run, const double *own_ms, td_result *result);
