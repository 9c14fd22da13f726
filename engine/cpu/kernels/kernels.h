/* kernels.h - what the cpu engine does with the cells of a tile, once for each instruction set. */
#ifndef TD_ENGINE_CPU_KERNELS_KERNELS_H
#define TD_ENGINE_CPU_KERNELS_KERNELS_H

#include "strategies/map.h"
#include "workloads/workload.h"

/* All cells of one tile; left: the tile to its left is likely to be the next, not that to its right. */
typedef void td_cpu_tile_fn(const td_launch *launch, const td_data *data, td_tile tile, bool left);

/* The cells [col, end) of one row. */
typedef void td_cpu_run_fn(const td_data *data, uint32_t row, uint32_t col, uint32_t end);

/* The functions of a workload, of an automaton for a row of its table. */
typedef struct td_cpu_fns {
    td_cpu_tile_fn *tile;
    td_cpu_tile_fn *square; /* of the whole square; NULL: never one */
    td_cpu_run_fn *run;     /* for maps of threads, in 2D */
} td_cpu_fns;

/*
 * The functions of every workload, by id, compiled for one instruction set. All sets compute the same bits: they differ
 * in the width of a vector, never in the order of the operations on a cell.
 */
typedef struct td_cpu_kernels {
    const char *isa;          /* as in the record */
    const char *const *flags; /* of the compiler, for this set; the last one NULL */
    const td_cpu_fns *fns[TD_WORKLOAD_COUNT];
} td_cpu_kernels;

extern const td_cpu_kernels td_cpu_kernels_plain, td_cpu_kernels_avx2, td_cpu_kernels_avx512;

/*
 * td_cpu_kernels_at - the instruction sets that this processor and this build have in common, from the plain one up.
 *
 * Output  NULL behind the last one
 */
const td_cpu_kernels *td_cpu_kernels_at(size_t place);

/* The functions of this workload. */
const td_cpu_fns *td_cpu_fns_of(const td_cpu_kernels *kernels, const td_workload *workload);

/* The last of the sets. */
const td_cpu_kernels *td_cpu_kernels_best(void);

#endif
