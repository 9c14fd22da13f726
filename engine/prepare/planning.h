/*
 * planning.h - the plan of a run, and the rows of its domain that it computes and exchanges with its neighbours: the
 * only place that makes a domain from a run. A run without parts computes all rows.
 */
#pragma once

#include "engine/engine.h"

/* A domain of `cells` cells per side, divided into tiles: the only place that makes one. */
td_domain td_domain_of(uint32_t cells, uint32_t tile, td_dim3 block, uint32_t cutoff);

/* The domain that a run's plan is made for, and the part of it that the run computes, in cells. */
td_domain td_run_domain(const td_run *run);
td_share td_run_share(const td_run *run);

/* A run's problem with the rows that it computes. */
td_problem td_run_problem(const td_run *run);

/* The offset of a row [bytes], from where the first element would be: td_row_bytes of an output or a state as it is
 * stored, td_state_row_bytes of a state of the reference. */
typedef uint64_t td_row_bytes_fn(const td_workload *workload, const td_problem *problem,
                                 uint32_t row);
td_row_bytes_fn td_row_bytes, td_state_row_bytes;

/* The `depth` rows of an automaton that are exchanged with each neighbour after each launch. */
td_halo td_run_halo(const td_run *run, td_row_bytes_fn *bytes, uint32_t depth);

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
