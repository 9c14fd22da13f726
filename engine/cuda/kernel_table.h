/* kernel_table.h - the kernels of the workloads, as plain C: tables that nvcc makes from the lists. */
#pragma once

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
    /* ~td_cell_number of the first mismatch, 0: none. Complemented, so that counts start at 0 and take the maximum. */
    unsigned long long before_wrong;
} td_device_counts;

/* Every kernel that counts: threads per block, blocks that fit on an SM at once, with 32 registers per thread, and rows
 * that a check visits together. A check waits for memory most of the time: more rows share more, and fewer fit. */
enum { TD_CHECK_THREADS = 256, TD_CHECK_BLOCKS = 8, TD_CHECK_ROWS = 2 };

/* The facts that kernels need to visit all cells of a domain, besides the data. */
typedef struct td_check_shape {
    /* 3D: N^2, rows without cells included; an automaton's has row N, for what is stored after the domain */
    uint64_t rows;
    uint32_t in_3d;
    uint32_t no_diagonal;
    uint32_t poisoned_outside; /* full layout: all but the domain must hold the poison */
    uint32_t poison;
    uint32_t element_bytes;
    uint32_t columns;   /* 2D: of every row; 0: those up to the diagonal */
    uint32_t first_row; /* 2D */
} td_check_shape;

/* The forms in which a workload's kernels exist. But for the last six, all take (td_launch, td_data, uint32_t
 * strategy). */
typedef enum td_form {
    /* one kernel per map, with one cell per thread, for whole grids */
    TD_ANY_CELLS,    /* any layout */
    TD_PACKED_CELLS, /* 2D, packed */
    TD_PART_CELLS,   /* 2D, packed: the triangle of a part of a domain */
    TD_EIGHT_PACKED, /* 3D, in blocks and tiles of 8 x 8 x 8 */
    TD_EIGHT_FULL,
    /* one kernel per map, for all else: larger tiles, persistent blocks, cut grids */
    TD_LOOPS,
    /* one kernel */
    TD_RECTANGLE,       /* 2D: the rectangle of a part, like TD_PACKED_CELLS */
    TD_RECTANGLE_LOOPS, /* and like TD_LOOPS */
    TD_DYNAMIC,      /* like TD_LOOPS for any block map, selected by `strategy`; see TD_COUNTERS */
    TD_DYNAMIC_ROWS, /* the same for maps of whole rows */
    TD_SQUARE_CELLS, /* the whole square, one block per tile */
    /* the workload's own kernel for whole tiles, for any block map and for TD_WHOLE_SQUARE, or for any map
     * of whole rows */
    TD_TILES,            /* one block per tile */
    TD_PERSISTENT_TILES, /* blocks in one dimension, each looping over tiles */
    TD_DYNAMIC_TILES,    /* each taking the next tile */
    TD_FLAT_TILES,       /* one block per flat tile of the whole square */
    TD_CLUSTERS, /* compute capability 9.0: a cluster per tile, or clusters that stay; see td_cluster_prepare */
    /* without a map, in blocks of TD_CHECK_THREADS threads */
    TD_CHECK_CELLS,     /* (td_data, td_check_shape, td_device_counts *) */
    TD_REFERENCE_CELLS, /* (td_data, td_check_shape): the next state of every cell */
    TD_POISON_CELLS,    /* likewise: the poison of every cell */
    TD_PLAIN_CELLS,     /* likewise, of a workload from a file: every cell itself */
    /* of a map from a file, without a workload: see td_kernel_tables */
    TD_COVERAGE,
    TD_ASK,
    TD_FORMS
} td_form;

/* The kernels of one workload: host addresses of __global__ functions, for cudaLaunchKernel; NULL where there is none.
 * By strategy if there is one kernel per map; else the first one. A tree's kernels take other arguments, see tree.c. */
typedef struct td_kernels {
    const void *of[TD_FORMS][TD_STRATEGY_COUNT];
} td_kernels;

enum { TD_KERNEL_PLACES = sizeof(td_kernels) / sizeof(const void *) };

/* The place of a kernel in such a table, read as one list. */
static inline uint32_t td_kernel_place(td_form form, uint32_t strategy)
{
    return (uint32_t)form * TD_STRATEGY_COUNT + (form <= TD_LOOPS ? strategy : 0);
}

/* A dynamic kernel counts tickets in one of TD_COUNTERS places. The upper half of the strategy says which. */
enum { TD_COUNTERS = 8 };

/* In the number of a strategy: blocks that stay take a contiguous range of tiles each, rather than every n-th tile. */
enum { TD_IN_RANGES = 1 << 15 };

enum { TD_WHOLE_SQUARE = TD_STRATEGY_COUNT }; /* in place of a strategy: every tile of the square */

enum { TD_KERNEL_ROWS = 24 }; /* most rows of a workload's table */

/* The kernels of all workloads by id and by the row of their table, and those for outputs that consist of tiles. */
typedef struct td_kernel_tables {
    td_kernels rows[TD_WORKLOAD_COUNT][TD_KERNEL_ROWS];
    td_kernels blocked[TD_WORKLOAD_COUNT];
    /* by strategy; the coverage of a map: (td_launch, uint32_t *visits, unsigned long long *found), and its answers:
     * (td_launch, const uint64_t *numbers, uint64_t count, td_tile *tiles) */
    const void *coverage[TD_STRATEGY_COUNT], *ask[TD_STRATEGY_COUNT];
} td_kernel_tables;

/* Each .cu file puts its kernels into the tables. */
void td_add_cells_2d(td_kernel_tables *to);
void td_add_cells_3d(td_kernel_tables *to);
void td_add_automata(td_kernel_tables *to);
void td_add_trees(td_kernel_tables *to);
void td_add_blocked(td_kernel_tables *to);
void td_add_grid_tiles(td_kernel_tables *to);
void td_add_persistent_tiles(td_kernel_tables *to);
void td_add_dynamic_tiles(td_kernel_tables *to);
void td_add_flat_tiles(td_kernel_tables *to);
void td_add_checks(td_kernel_tables *to);
void td_add_clusters(td_kernel_tables *to);
void td_add_coverage(td_kernel_tables *to);

/* The kernels of a workload that is not from a file. blocked: for outputs that consist of tiles. */
const td_kernels *td_kernels_of(const td_workload *workload, bool blocked);

/* Of a built-in strategy: TD_COVERAGE or TD_ASK. */
const void *td_map_kernel(const td_strategy *strategy, td_form form);

/* (const uint32_t *visits, uint64_t places, unsigned long long *found) */
extern const void *const td_coverage_count;

/* (const uint8_t *memory, uint32_t byte, uint64_t bytes, td_device_counts *sum): adds to sum->touched_outside. */
extern const void *const td_count_other_kernel;

/*
 * (double *output, uint64_t count): output[0] becomes the sum of the `count` elements after it. One block of 1024
 * threads.
 */
extern const void *const td_total_kernel;

enum { TD_BOXES_BYTES = 512 };

/* Say how a kernel for a workload's clusters reads the input: at most TD_BOXES_BYTES, at a multiple of 64. Returns 0,
 * or the error of the CUDA runtime or driver. */
int td_cluster_prepare(uint32_t workload, const td_data *data, void *boxes);

#ifdef __cplusplus
}
#endif
