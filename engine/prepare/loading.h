/* loading.h - load the kernels of workloads given as files, before the first group. */
#pragma once

#include "engine/engine.h"

/*
 * td_load_own - load, for workloads from files, exactly the kernels that the runs of a sweep launch.
 *
 * Errors  those of td_engine_ops.load; TD_NO_MEMORY
 */
td_status td_load_own(td_engine *engine, const td_sweep *sweep, td_error *error);
