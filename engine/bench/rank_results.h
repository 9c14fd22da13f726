/* rank_results.h - what each rank had of a run, brought together on all of them. */
#ifndef TD_ENGINE_BENCH_RANK_RESULTS_H
#define TD_ENGINE_BENCH_RANK_RESULTS_H

#include "engine/engine.h"

/* Grids, blocks, threads and bytes of one rank become those of all. */
void td_rank_results_add_up(td_engine *engine, td_result *result);

/* Fill in result->rank_results and transport; nothing without ranks. own_ms: the samples of this rank. */
void td_rank_results_gather(td_engine *engine, const td_run *run, const double *own_ms,
                            td_result *result);

#endif
