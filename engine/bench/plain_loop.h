/* plain_loop.h - workloads without a check of their own: all maps against a loop over the domain. */
#ifndef TD_ENGINE_BENCH_PLAIN_LOOP_H
#define TD_ENGINE_BENCH_PLAIN_LOOP_H

#include "engine/needs/buffers.h"

/* Whether a workload is one. */
bool td_is_proven_by_loop(const td_workload *workload);

/*
 * td_plain_loop_check - compare an output with that of a plain double loop on the host, which runs the same cell.
 *
 * Output  counts: cells and elements that differ, byte for byte; floats by more than workload->ulp
 * Errors  TD_WRONG: the cell writes nothing; TD_NO_MEMORY; those of the engine
 */
td_status td_plain_loop_check(td_buffers *buffers, td_check_counts *counts, td_error *error);

#endif
