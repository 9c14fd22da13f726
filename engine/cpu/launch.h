/* launch.h - the launch operations of td_engine_ops on the host's cores; see engine.h. */
#pragma once

#include "engine/engine.h"

double td_cpu_exchange_ms(td_engine *engine);
td_status td_cpu_launch(td_engine *engine, const td_execution *execution, td_error *error);
td_status td_cpu_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                         bool graph, td_prepared **prepared, td_error *error);
void td_cpu_discard(td_engine *engine, td_prepared *prepared);
td_status td_cpu_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                        td_error *error);
