/* kernels.h - the cpu engine's functions on the cells of a tile. */
#pragma once

#include "strategies/map.h"
#include "workloads/workload.h"

/* Compute all cells of one tile. */
typedef void td_cpu_tile_fn(const td_launch *launch, const td_data *data, td_tile tile);

/* Compute the cells [col, end) of one row. */
typedef void td_cpu_run_fn(const td_data *data, uint32_t row, uint32_t col, uint32_t end);

/* The functions of a workload, or of one row of an automaton's table. */
typedef struct td_cpu_fns {
    td_cpu_tile_fn *tile;
    td_cpu_tile_fn *square; /* for the whole square; NULL: the workload never fills it */
    td_cpu_run_fn *run;     /* for thread maps, in 2D */
} td_cpu_fns;

/* The functions that check a workload's cells, and advance them. One of the checks is set, or none: a sum has no check
 * of cells, and an automaton in 2D has td_check. */
typedef struct td_cpu_checks {
    td_check_fn *check;
    td_check3_fn *check_3d;
    td_cell3_fn *reference_3d, *paint_3d; /* of a workload that advances in steps */
} td_cpu_checks;

/* The functions of a workload. */
typedef const td_cpu_fns *td_cpu_fns_fn(const td_workload *workload);
td_cpu_fns_fn td_cpu_fns_of;

/* The instruction set whose functions this processor runs, such as "avx512". */
const char *td_cpu_isa(void);
