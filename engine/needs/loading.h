/* loading.h - what an engine has to make ready before the first group: the kernels of workloads that are files. */
#ifndef TD_ENGINE_NEEDS_LOADING_H
#define TD_ENGINE_NEEDS_LOADING_H

#include "engine/engine.h"

/*
 * td_load_own - all that the runs of a sweep launch of such workloads, and nothing else.
 *
 * Errors  those of td_engine_ops.load; TD_NO_MEMORY
 */
td_status td_load_own(td_engine *engine, const td_sweep *sweep, td_error *error);

#endif
