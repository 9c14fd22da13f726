/*
 * together.h - what the processes that share a domain exchange about a run. All of them call these functions, in the
 * same order; a process that is alone has nothing to exchange.
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

/* The counts of a check, and of bytes written to guards, become those of the whole domain; the first wrong cell is that
 * of the first process that has one. from: which one that is, " on ...", or empty. Errors: TD_NO_MEMORY */
enum { TD_FROM_SIZE = 32 };
td_status td_add_up_checks(td_engine *engine, td_check_counts *counts, uint64_t *guards,
                           char from[TD_FROM_SIZE], td_error *error);

/* A run's counts of grids, blocks, threads and bytes become those of the whole domain. */
void td_add_up_counts(td_engine *engine, td_result *result);

/* Fill in result->part_results and transport, unless alone. own_ms: the samples of this process. */
void td_gather_parts(td_engine *engine, const td_run *run, const double *own_ms, td_result *result);
