/* coverage_kernels.h - the kernels that determine the coverage of a map. */
#ifndef TD_ENGINE_CUDA_KERNELS_COVERAGE_KERNELS_H
#define TD_ENGINE_CUDA_KERNELS_COVERAGE_KERNELS_H

#include "strategies/strategies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* (td_launch, uint32_t *visits, unsigned long long *outside) */
const void *td_coverage_kernel(uint32_t strategy);

/* (const uint32_t *visits, uint64_t places, unsigned long long *wrong, unsigned long long *first_wrong) */
extern const void *const td_coverage_count;

#ifdef __cplusplus
}
#endif

#endif
