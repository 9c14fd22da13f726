/* cuda_check.h - the verification operations of td_engine_ops on a GPU; see engine.h. */
#pragma once

#include "engine/engine.h"

td_status td_cuda_check(td_engine *engine, const td_workload *workload, const td_data *data,
                        td_check_counts *counts, td_error *error);
td_status td_cuda_count_other(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                              uint64_t *count, td_error *error);
td_status td_cuda_for_each_cell(td_engine *engine, const td_workload *workload, td_cell_task task,
                                const td_data *data, td_error *error);
td_status td_cuda_coverage(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                           uint32_t *visits, uint64_t places, td_coverage *coverage,
                           td_error *error);
