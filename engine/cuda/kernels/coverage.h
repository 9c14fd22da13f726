/* survey.h - the kernels of a survey. */
#ifndef TD_CUDA_SURVEY_H
#define TD_CUDA_SURVEY_H

#include "strategies/strategies.h"

#ifdef __cplusplus
extern "C" {
#endif

/* (td_launch, uint32_t *visits, unsigned long long *outside), by strategy. */
extern const void *const td_survey_visit_kernels[TD_STRATEGY_COUNT];

/* (const uint32_t *visits, uint64_t places, unsigned long long *wrong, unsigned long long *first_wrong) */
extern const void *const td_survey_judge;

#ifdef __cplusplus
}
#endif

#endif
