/* kernel_table.h - the cpu engine's tables: a function per (strategy, workload), checks and steps per workload. */
#ifndef TD_ENGINE_CPU_KERNEL_TABLE_H
#define TD_ENGINE_CPU_KERNEL_TABLE_H

#include "strategies/strategy.h"
#include "workloads/workload.h"

/* All cells of one block. */
typedef void td_cpu_block_fn(const td_launch *launch, const td_data *data, td_dim3 block);

/* NULL where the dimensions differ. */
td_cpu_block_fn *td_cpu_block_fn_of(const td_strategy *strategy, const td_workload *workload);
td_check_fn *td_cpu_check(const td_workload *workload);

/* What only workloads with steps have; NULL where one has no use for it. */
typedef struct td_cpu_steps_fns {
    td_cell_fn *reference;
    td_cell_fn *paint;
    td_cpu_block_fn *square; /* a block of the whole square */
} td_cpu_steps_fns;

const td_cpu_steps_fns *td_cpu_steps(const td_workload *workload);

/* The same in 3D; a workload that is one sum has no check of cells. */
td_cpu_block_fn *td_cpu_block_fn_of_3d(const td_strategy *strategy, const td_workload *workload);
td_check3_fn *td_cpu_check_3d(const td_workload *workload);

#endif
