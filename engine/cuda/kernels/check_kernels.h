/* check_kernels.h - the kernels of a verification, as plain C. All have blocks of TD_CHECK_THREADS threads. */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_KERNELS_H
#define TD_ENGINE_CUDA_KERNELS_CHECK_KERNELS_H

#include "workloads/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of one workload; NULL for what it has no use for. */
typedef struct td_check_kernels {
    const void *check;     /* (td_data, td_check_shape, td_device_counts *) */
    const void *reference; /* (td_data, uint32_t square, td_share): the next state of every cell */
    const void *paint;     /* likewise: the poison of every cell */
} td_check_kernels;

/* By identifier, of an automaton with a row of its table. */
td_check_kernels td_checks_of(uint32_t workload, uint32_t row);

/* (const uint8_t *memory, uint32_t byte, uint64_t bytes, td_device_counts *sum): adds to sum->touched_outside. */
extern const void *const td_count_other_kernel;

#ifdef __cplusplus
}
#endif

#endif
