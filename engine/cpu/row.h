/* row.h - the cpu engine, the cores of the host with OpenMP, as a row of the table of engines. */
#ifndef TD_ENGINE_CPU_ROW_H
#define TD_ENGINE_CPU_ROW_H

#include "engine/engine.h"
#include "kernels.h"

extern const td_engine_ops td_cpu_ops;

/* For tests: the kernels of another instruction set, and another size of output from which on stores pass the caches. */
void td_cpu_restrict(td_engine *engine, const td_cpu_kernels *kernels, uint64_t stream_bytes);

#endif
