/* execution.h - what an engine is handed of a run: kernel, launches, and the rows at the cuts between ranks. */
#ifndef TD_ENGINE_NEEDS_EXECUTION_H
#define TD_ENGINE_NEEDS_EXECUTION_H

#include "buffers.h"

/* The execution of `strategy` on these buffers. */
td_execution td_execution_of(const td_buffers *buffers, const td_run *run, const td_plan *plan);

/* Launches of its plan that a run needs: one, or what its generations take. */
uint32_t td_run_launches(const td_run *run);

/* The kernel a run uses. */
td_kernel_kind td_kernel_of(const td_run *run);

/* Counts of a run's launches, for results and --dry-run. */
void td_run_counts(const td_run *run, const td_plan *plan, td_result *result);

#endif
