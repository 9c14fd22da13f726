/* cpu_check.h - the verification operations of td_engine_ops on the host's cores; see engine.h. */
#pragma once

#include "engine/engine.h"

td_status td_cpu_check_cells(td_engine *engine, const td_workload *workload, const td_data *data,
                             td_check_counts *counts, td_error *error);
td_status td_cpu_count_other(td_engine *engine, const void *memory, uint8_t byte, uint64_t bytes,
                             uint64_t *count, td_error *error);
td_status td_cpu_for_each_cell(td_engine *engine, const td_workload *workload, td_cell_task task,
                               const td_data *data, td_error *error);
