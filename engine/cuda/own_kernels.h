/*
 * own_kernels.h - the device half of workloads given as files: the kernels that their runs launch, compiled for this
 * device and loaded. A profiler shows them as WORKLOAD_MAP_KIND, such as rbf_ltm_r_packed.
 */
#pragma once

#include "cuda.h"
#include "own_source.h"

/* See td_engine_ops.load. */
td_status td_cuda_own_load(td_engine *engine, const td_execution *executions, size_t count,
                           td_error *error);

/* The kernels of a workload with `own`; NULL: it was not loaded. */
const td_kernels *td_cuda_own_kernels(const td_cuda_engine *cuda, const td_workload *workload);

void td_cuda_own_close(td_cuda_engine *cuda);
