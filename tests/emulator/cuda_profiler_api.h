/* cuda_profiler_api.h - in the place of the CUDA toolkit's: with TRIBENCH_EMULATOR_TRACE set, stderr has each call. */
#ifndef TD_TESTS_EMULATOR_CUDA_PROFILER_API_H
#define TD_TESTS_EMULATOR_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
