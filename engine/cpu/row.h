/* row.h - the cpu engine (the host's cores, with OpenMP) as a row of the table of engines. */
#pragma once

#include "engine/engine.h"
#include "engine/cpu/kernels/kernels.h"

extern const td_engine_ops td_cpu_ops;

/* For tests: use other functions on cells. */
void td_cpu_use(td_engine *engine, td_cpu_fns_fn *fns_of);
