/* plain_loop.h - workloads without their own check: every map is compared with a plain loop over the domain. */
#pragma once

#include "engine/prepare/buffers.h"

/* Whether a workload is verified like that. */
bool td_is_proven_by_loop(const td_workload *workload);

/*
 * td_plain_loop_check - compare an output with that of a plain double loop on the host, which runs the same cells.
 *
 * Output  counts: cells visited, and elements that differ: in any byte, or for floats by more than workload->ulp
 * Errors  TD_WRONG: the cells write nothing; TD_NO_MEMORY; the engine's
 */
td_status td_plain_loop_check(td_buffers *buffers, td_check_counts *counts, td_error *error);
