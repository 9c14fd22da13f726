/*
 * planning.h - the plan of a run and its execution, as the engine gets it: kernel, launches, and the rows of its domain
 * that it computes and exchanges with its neighbours. A run without parts computes all rows.
 */
#pragma once

#include "buffers.h"

/* A domain of `cells` cells per side, divided into tiles: the only place that makes one. */
td_domain td_domain_of(uint32_t cells, uint32_t tile, td_dim3 block, uint32_t cutoff);

/* The domain that a run's plan is made for, and the part of it that the run computes, in cells. */
td_domain td_run_domain(const td_run *run);
td_share td_run_share(const td_run *run);

/* A run's problem with the rows that it computes. */
td_problem td_run_problem(const td_run *run);

/* The offset of a row of an output or a state, as it is stored, from where the first element would be [bytes]. */
uint64_t td_row_bytes(const td_workload *workload, const td_problem *problem, uint32_t row);

/*
 * td_strategy_plan - td_plan_make with a sentence for each failure.
 *
 * Errors  TD_USAGE beyond the exact range unless `inexact`, or for a --cutoff that needs too many launches;
 *         TD_NO_MEMORY
 */
td_status td_strategy_plan(const td_strategy *strategy, const td_domain *domain, bool inexact,
                           td_plan *plan, td_error *error);

/* Check only the exact range: TD_USAGE if n is beyond it, with the name of a strategy that is exact there. */
td_status td_strategy_check_range(const td_strategy *strategy, const td_domain *domain,
                                  td_error *error);

/* The plan of a run; errors as above. */
td_status td_run_plan(const td_run *run, bool inexact, td_plan *plan, td_error *error);

/*
 * td_plan_for - td_run_plan for launches on this engine.
 *
 * Errors  as above; TD_NO_MEMORY and TD_FAILED for the copy of the map's table
 */
td_status td_plan_for(td_engine *engine, const td_run *run, bool inexact, td_plan *plan,
                      td_error *error);

/* Copy the lookup table of a plan, if it has one, into memory that the kernels of the engine can read. */
td_status td_plan_copy_table(td_engine *engine, td_plan *plan, td_error *error);

/* td_plan_free, and release the engine's copy of the table. */
void td_plan_release(td_engine *engine, td_plan *plan);

/* Generations that one launch of a workload advances: a kernel for tiles may advance several, a kernel for cells
 * advances one. 0 for a workload without steps. */
uint32_t td_launch_generations(const td_engine_ops *engine, const td_workload *workload);

/* The execution of a run on these buffers. */
td_execution td_execution_of(const td_buffers *buffers, const td_run *run, const td_plan *plan);

/* How often a run launches its plan: once, or as often as its generations require. */
uint32_t td_run_launches(const td_run *run);

/* Counts of a run's launches, for results and --dry-run. */
void td_run_counts(const td_run *run, const td_plan *plan, td_result *result);
