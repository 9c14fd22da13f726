/* kernel_table.h - the tables that nvcc makes of the lists: kernels by strategy for one workload, as plain C. */
#ifndef TD_ENGINE_CUDA_KERNEL_TABLE_H
#define TD_ENGINE_CUDA_KERNEL_TABLE_H

#include "strategies/share.h"
#include "strategies/strategies.h"
#include "workloads/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* td_check_counts as the device adds to it. */
typedef struct td_device_counts {
    unsigned long long checked;
    unsigned long long mismatches;
    unsigned long long touched_outside;
    unsigned long long found;
    double max_abs_error;
    /* 2D: ~(row << 32 | column) of the first mismatch, 0: none; sums start at 0, and so this is a maximum */
    unsigned long long before_wrong;
} td_device_counts;

/* What a check kernel needs to know beside the data. */
typedef struct td_check_shape {
    uint32_t no_diagonal;
    uint32_t poisoned_outside; /* full layout: what is not the domain must hold the poison */
    uint32_t poison;
    uint32_t element_bytes;
    uint32_t square; /* the domain is the whole square */
    td_share share;  /* 2D: what is checked */
} td_check_shape;

/*
 * The kernels of one workload. Host addresses of __global__ functions, for cudaLaunchKernel; NULL where there is none.
 *
 * All take (td_launch, td_data).
 */
typedef struct td_kernels {
    const void *packed[TD_STRATEGY_COUNT]; /* one cell per thread, packed layout, whole grids */
    const void *cell[TD_STRATEGY_COUNT];   /* one cell per thread, any layout, whole grids */
    const void *loop[TD_STRATEGY_COUNT]; /* anything: larger tiles, persistent blocks, cut grids */
    /* 3D: one cell per thread in blocks and tiles of 8 x 8 x 8, packed and full */
    const void *eight[2][TD_STRATEGY_COUNT];
    /* 2D, of a part of a domain: as packed, and the rectangle beside it, as packed and as loop */
    const void *part[TD_STRATEGY_COUNT];
    const void *rectangle, *rectangle_loop;
    const void *dynamic; /* block maps, of which it is told which: (td_launch, td_data, uint32_t) */
    const void
        *square; /* the whole square, a block per tile; NULL for workloads that have no squares */
} td_kernels;

/* All of them NULL for variants that have only kernels for tiles. Blocked: for outputs that consist of tiles. */
const td_kernels *td_kernels_of(const td_workload *workload, bool blocked);

/* The same by kind, with the row of an automaton's table. */
const td_kernels *td_kernels_2d(uint32_t workload);
const td_kernels *td_kernels_3d(uint32_t workload);
const td_kernels *td_automaton_kernels(uint32_t workload, uint32_t row);
const td_kernels *td_blocked_kernels(uint32_t workload);

/* Dynamic kernels count tickets in one of so many places, whose number is in the upper half of the strategy. */
enum { TD_COUNTERS = 8 };

enum { TD_WHOLE_SQUARE = TD_STRATEGY_COUNT }; /* in place of a strategy: every tile of the square */

/*
 * A workload's own kernel for whole tiles, for every map of blocks and for TD_WHOLE_SQUARE: (td_launch, td_data,
 * uint32_t strategy). NULL where the workload has none.
 *
 * grid: a block per tile; persistent: blocks in one dimension, each looping over tiles; dynamic: each taking the next
 * one, see TD_COUNTERS; flat: a block per flat tile of the whole square.
 */
typedef struct td_tile_kernels {
    const void *grid, *persistent, *dynamic, *flat;
} td_tile_kernels;
td_tile_kernels td_tile_kernels_of(const td_workload *workload, bool blocked);

/* The same by kind. */
td_tile_kernels td_blocked_tile_kernels(uint32_t workload);
td_tile_kernels td_tile_kernels_3d(uint32_t workload);
const void *td_grid_tiles(uint32_t workload, uint32_t row);
const void *td_persistent_tiles(uint32_t workload, uint32_t row);
const void *td_dynamic_tiles(uint32_t workload, uint32_t row);
const void *td_flat_tiles(uint32_t workload, uint32_t row);

/*
 * (double *output, uint64_t count): output[0] becomes the sum of the count elements behind it. One block of 1024
 * threads.
 */
extern const void *const td_total_kernel;

#ifdef __cplusplus
}
#endif

#endif
