/* rank_results.h - the results of each rank for a run, gathered on all ranks. */
#pragma once

#include "engine/engine.h"

/* Replace this rank's counts of grids, blocks, threads and bytes by the sums over all ranks. */
void td_rank_results_add_up(td_engine *engine, td_result *result);

/* Fill in result->rank_results and transport; does nothing without ranks. own_ms: the samples of this rank. */
void td_rank_results_gather(td_engine *engine, const td_run *run, const double *own_ms,
                            td_result *result);
