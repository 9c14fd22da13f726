/* check_table.h - the cpu engine's tables beside its kernels: checks and steps per workload. */
#ifndef TD_ENGINE_CPU_CHECK_TABLE_H
#define TD_ENGINE_CPU_CHECK_TABLE_H

#include "workloads/workload.h"

/* NULL where a workload has no use for it: one that is a sum has no check of cells. */
typedef struct td_cpu_checks {
    td_check_fn *check;
    td_check3_fn *check_3d;
    td_cell_fn *reference, *paint; /* of automata */
} td_cpu_checks;

const td_cpu_checks *td_cpu_checks_of(const td_workload *workload);

#endif
