/* kernels.h - the cpu engine's functions on the cells of a tile, compiled once per instruction set. */
#pragma once

#include "strategies/map.h"
#include "workloads/workload.h"

/* Compute all cells of one tile. left: the next tile is likely the one to the left, not the one to the right. */
typedef void td_cpu_tile_fn(const td_launch *launch, const td_data *data, td_tile tile, bool left);

/* Compute the cells [col, end) of one row. */
typedef void td_cpu_run_fn(const td_data *data, uint32_t row, uint32_t col, uint32_t end);

/* The functions of a workload, or of one row of an automaton's table. */
typedef struct td_cpu_fns {
    td_cpu_tile_fn *tile;
    td_cpu_tile_fn *square; /* for the whole square; NULL: the workload never fills it */
    td_cpu_run_fn *run;     /* for thread maps, in 2D */
} td_cpu_fns;

/*
 * The functions of every workload, by id, compiled for one instruction set. All sets compute the same bits: they differ
 * only in the width of a vector, never in the order of the operations on a cell.
 */
typedef struct td_cpu_kernels {
    const char *isa;          /* its name in the record */
    const char *const *flags; /* compiler flags for this set, NULL at the end */
    const td_cpu_fns *fns[TD_WORKLOAD_COUNT];
} td_cpu_kernels;

extern const td_cpu_kernels td_cpu_kernels_plain, td_cpu_kernels_avx2, td_cpu_kernels_avx512;

/*
 * td_cpu_kernels_at - the instruction sets that both this processor and this build support, the plain one first.
 *
 * Output  NULL beyond the last one
 */
const td_cpu_kernels *td_cpu_kernels_at(size_t place);

/* The functions of this workload. */
const td_cpu_fns *td_cpu_fns_of(const td_cpu_kernels *kernels, const td_workload *workload);

/* The last of these sets, which is the widest. */
const td_cpu_kernels *td_cpu_kernels_best(void);
