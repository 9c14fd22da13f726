/* execution.h - the execution of a run, as the engine gets it: kernel, launches, and halos between parts. */
#pragma once

#include "buffers.h"

/* The execution of a run on these buffers. */
td_execution td_execution_of(const td_buffers *buffers, const td_run *run, const td_plan *plan);

/* How often a run launches its plan: once, or as often as its generations require. */
uint32_t td_run_launches(const td_run *run);

/* Counts of a run's launches, for results and --dry-run. */
void td_run_counts(const td_run *run, const td_plan *plan, td_result *result);

/*
 * td_load_own - load, for workloads from files, exactly the kernels that the runs of a sweep launch, before the first
 * group.
 *
 * Errors  those of td_engine_ops.load; TD_NO_MEMORY
 */
td_status td_load_own(td_engine *engine, const td_sweep *sweep, td_error *error);
