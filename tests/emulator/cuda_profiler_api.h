/* cuda_profiler_api.h - replaces the CUDA toolkit's. TRIBENCH_EMULATOR_TRACE prints each call on stderr. */
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
