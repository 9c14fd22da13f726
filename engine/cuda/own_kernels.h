/*
 * own_kernels.h - the device half of workloads that were given as files: of each the kernels that its runs launch,
 * compiled for this device and loaded. In a profiler they are called WORKLOAD_MAP_KIND, such as rbf_ltm_r_packed.
 */
#ifndef TD_ENGINE_CUDA_OWN_KERNELS_H
#define TD_ENGINE_CUDA_OWN_KERNELS_H

#include "cuda.h"
#include "own_source.h"

/* See td_engine_ops.load. */
td_status td_cuda_own_load(td_engine *engine, const td_execution *executions, size_t count,
                           td_error *error);

/* Those of a workload with `own`; NULL: it was not loaded. */
const td_own_kernels *td_cuda_own_kernels(const td_cuda_engine *cuda, const td_workload *workload);

void td_cuda_own_close(td_cuda_engine *cuda);

#endif
