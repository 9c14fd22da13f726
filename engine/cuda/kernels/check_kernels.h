/* check_kernels.h - the kernels of a verification, as plain C. All use blocks of TD_CHECK_THREADS threads. */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_KERNELS_H
#define TD_ENGINE_CUDA_KERNELS_CHECK_KERNELS_H

#include "workloads/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels of one workload; NULL: it needs no such kernel. */
typedef struct td_check_kernels {
    const void *check;     /* (td_data, td_check_shape, td_device_counts *) */
    const void *reference; /* (td_data, td_check_shape): the next state of every cell */
    const void *paint;     /* likewise: the poison of every cell */
} td_check_kernels;

/* The kernels of a workload by id, or of a row of an automaton's table. */
td_check_kernels td_checks_of(uint32_t workload, uint32_t row);

/* (const uint8_t *memory, uint32_t byte, uint64_t bytes, td_device_counts *sum): adds to sum->touched_outside. */
extern const void *const td_count_other_kernel;

#ifdef __cplusplus
}
#endif

#endif
