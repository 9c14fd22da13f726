/*
 * pairs.h - the tables that nvcc makes of the lists: kernels by strategy for one workload, as plain C.
 */
#ifndef TD_PAIRS_H
#define TD_PAIRS_H

#include "../../strategies/strategies.h"
#include "../../workloads/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* td_tally as the device adds to it. */
typedef struct td_device_tally {
    unsigned long long checked;
    unsigned long long mismatches;
    unsigned long long touched_outside;
    unsigned long long tally;
    double max_abs_error;
} td_device_tally;

/* What a check kernel needs to know beside the data. */
typedef struct td_check_shape {
    uint32_t no_diagonal;
    uint32_t poisoned_outside; /* full layout: what is not the domain must hold the poison */
    uint32_t poison;
    uint32_t element_bytes;
} td_check_shape;

/*
 * The kernels of one workload. Host addresses of __global__ functions, for cudaLaunchKernel; NULL where there is none.
 *
 * packed, cell and loop take (td_launch, td_data), check takes (td_data, td_check_shape, td_device_tally *).
 */
typedef struct td_kernels {
    const void *packed[TD_STRATEGY_COUNT]; /* one cell a thread, packed layout, whole grids */
    const void *cell[TD_STRATEGY_COUNT];   /* one cell a thread, any layout, whole grids */
    const void *loop[TD_STRATEGY_COUNT]; /* anything: larger tiles, persistent blocks, cut grids */
    const void *check;
    const void
        *eight[2]
              [TD_STRATEGY_COUNT]; /* 3D: cell for blocks and tiles of 8 x 8 x 8, packed and full */
} td_kernels;

const td_kernels *td_kernels_of(const td_workload *workload);

#ifdef __cplusplus
}
#endif

#endif
