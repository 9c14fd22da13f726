/* planning.h - the plan of a run: the only place that makes a domain from a run, and a sentence from a failure. */
#pragma once

#include "engine/engine.h"

/* A domain of `cells` cells per side, divided into tiles: the only place that makes one. */
td_domain td_domain_of(uint32_t cells, uint32_t tile, td_dim3 block, uint32_t cutoff);

/* The domain that a run's plan is made for. */
td_domain td_run_domain(const td_run *run);

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
