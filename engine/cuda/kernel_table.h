/* kernel_table.h - the tables that nvcc makes from the lists: the kernels of one workload by strategy, as plain C. */
#pragma once

#include "strategies/share.h"
#include "strategies/strategies.h"
#include "workloads/workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The form of td_check_counts that the device adds to. */
typedef struct td_device_counts {
    unsigned long long checked;
    unsigned long long mismatches;
    unsigned long long touched_outside;
    unsigned long long found;
    double max_abs_error;
    /* 2D: ~(row << 32 | column) of the first mismatch, 0: none. Complemented, so that counts start at 0 and take the
     * maximum. */
    unsigned long long before_wrong;
} td_device_counts;

enum {
    TD_CHECK_THREADS = 256,                  /* per block of every kernel that counts */
    TD_CHECK_COLUMNS = 8 * TD_CHECK_THREADS, /* 2D: of a block of a check */
};

/* The facts that a check kernel needs besides the data. */
typedef struct td_check_shape {
    uint32_t no_diagonal;
    uint32_t poisoned_outside; /* full layout: all but the domain must hold the poison */
    uint32_t poison;
    uint32_t element_bytes;
    uint32_t square; /* the domain is the whole square */
    td_share share;  /* 2D: the cells to check */
} td_check_shape;

/*
 * The kernels of one workload. Host addresses of __global__ functions, for cudaLaunchKernel; NULL where there is none.
 *
 * All take (td_launch, td_data).
 */
typedef struct td_kernels {
    const void *packed[TD_STRATEGY_COUNT]; /* one cell per thread, packed layout, whole grids */
    const void *cell[TD_STRATEGY_COUNT];   /* one cell per thread, any layout, whole grids */
    const void *loop[TD_STRATEGY_COUNT]; /* all else: larger tiles, persistent blocks, cut grids */
    /* 3D: one cell per thread in blocks and tiles of 8 x 8 x 8, packed and full */
    const void *eight[2][TD_STRATEGY_COUNT];
    /* 2D, part of a domain: its triangle like `packed`, its rectangle like `packed` and like `loop` */
    const void *part[TD_STRATEGY_COUNT];
    const void *rectangle, *rectangle_loop;
    const void *dynamic; /* any block map, by argument: (td_launch, td_data, uint32_t strategy) */
    const void *square;  /* the whole square, one block per tile; NULL: there is none */
} td_kernels;

/* The kernels of a workload, all NULL for variants that have only whole-tile kernels. blocked: for outputs that consist
 * of tiles. */
const td_kernels *td_kernels_of(const td_workload *workload, bool blocked);

/* The same for each kind of workload; row: of an automaton's table. */
const td_kernels *td_kernels_2d(uint32_t workload);
const td_kernels *td_kernels_3d(uint32_t workload, uint32_t row);
const td_kernels *td_automaton_kernels(uint32_t workload, uint32_t row);
const td_kernels *td_blocked_kernels(uint32_t workload);

/* A dynamic kernel counts tickets in one of TD_COUNTERS places. The upper half of the strategy says which. */
enum { TD_COUNTERS = 8 };

enum { TD_WHOLE_SQUARE = TD_STRATEGY_COUNT }; /* in place of a strategy: every tile of the square */

/*
 * A workload's own kernels for whole tiles, for every block map and for TD_WHOLE_SQUARE: (td_launch, td_data, uint32_t
 * strategy). NULL where the workload has none.
 *
 * grid: one block per tile; persistent: blocks in one dimension, each looping over tiles; dynamic: each taking the next
 * tile, see TD_COUNTERS; flat: one block per flat tile of the whole square.
 */
typedef struct td_tile_kernels {
    const void *grid, *persistent, *dynamic, *flat;
} td_tile_kernels;
td_tile_kernels td_tile_kernels_of(const td_workload *workload, bool blocked);

/* The same for each kind of workload. */
td_tile_kernels td_blocked_tile_kernels(uint32_t workload);
td_tile_kernels td_tile_kernels_3d(uint32_t workload, uint32_t row);
const void *td_grid_tiles(uint32_t workload, uint32_t row);
const void *td_persistent_tiles(uint32_t workload, uint32_t row);
const void *td_dynamic_tiles(uint32_t workload, uint32_t row);
const void *td_flat_tiles(uint32_t workload, uint32_t row);

/*
 * (double *output, uint64_t count): output[0] becomes the sum of the `count` elements after it. One block of 1024
 * threads.
 */
extern const void *const td_total_kernel;

#ifdef __cplusplus
}
#endif
