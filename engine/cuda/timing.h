/* timing.h - the measuring operations of td_engine_ops on a GPU; see engine.h. */
#pragma once

#include "engine/engine.h"

td_status td_cuda_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                          bool graph, td_prepared **prepared, td_error *error);
void td_cuda_discard(td_engine *engine, td_prepared *prepared);
td_status td_cuda_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                         td_error *error);
td_status td_cuda_flush(td_engine *engine, td_error *error);
td_status td_cuda_peak_bandwidth(td_engine *engine, td_environment *environment, td_error *error);
