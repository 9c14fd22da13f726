/* sampling.h - how many launches make a sample, and when a run is warm. */
#pragma once

#include "engine/engine.h"

/*
 * td_warm_up - find the batch, prepare it, and launch it until its time has settled.
 *
 * Input   awake: another run has just warmed the device up, so that its clocks have settled
 * Output  prepared; result->batch, graph, warmup
 * Errors  the engine's
 */
td_status td_warm_up(td_engine *engine, const td_execution *execution, const td_protocol *protocol,
                     bool awake, td_result *result, td_prepared **prepared, td_error *error);

/* Whether a batch of an execution is launched as a graph. */
bool td_takes_graph(const td_engine *engine, const td_execution *execution, uint32_t batch);

/*
 * td_sample - run and time one batch, at once in all processes that share the domain.
 *
 * Output  batch_ms: the time of the slowest process; own_ms: that of this one
 * Errors  the engine's, from the first process that fails
 */
td_status td_sample(td_engine *engine, td_prepared *prepared, double *batch_ms, double *own_ms,
                    td_error *error);
