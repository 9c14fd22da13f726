/* check_table.h - the cpu engine's tables beside its kernels: checks and steps per workload. */
#ifndef TD_ENGINE_CPU_CHECK_TABLE_H
#define TD_ENGINE_CPU_CHECK_TABLE_H

#include "workloads/workload.h"

td_check_fn *td_cpu_check(const td_workload *workload);

/* The same in 3D; a workload that is one sum has no check of cells. */
td_check3_fn *td_cpu_check_3d(const td_workload *workload);

/* What only workloads with steps have; NULL where one has no use for it. */
typedef struct td_cpu_steps_fns {
    td_cell_fn *reference;
    td_cell_fn *paint;
} td_cpu_steps_fns;

const td_cpu_steps_fns *td_cpu_steps(const td_workload *workload);

#endif
