/* row.h - the cpu engine (the host's cores, with OpenMP) as a row of the table of engines. */
#pragma once

#include "engine/engine.h"
#include "engine/cpu/kernels/kernels.h"

extern const td_engine_ops td_cpu_ops;

/* For tests: switch to the kernels of another instruction set. */
void td_cpu_use(td_engine *engine, const td_cpu_kernels *kernels);
