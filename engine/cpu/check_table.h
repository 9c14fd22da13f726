/* check_table.h - the functions that check and advance the cells of each workload. */
#pragma once

#include "workloads/workload.h"

/* One of the checks is set, or none: a sum has no check of cells, and an automaton has td_check. */
typedef struct td_cpu_checks {
    td_check_fn *check;
    td_check3_fn *check_3d;
    td_cell3_fn *reference_3d, *paint_3d; /* of a workload that advances in steps */
} td_cpu_checks;

/* How the states of an automaton are stored; zero for other workloads. */
typedef struct td_cpu_stored {
    td_storage storage;
    td_width width;
} td_cpu_stored;

td_cpu_stored td_cpu_stored_of(const td_workload *workload);

const td_cpu_checks *td_cpu_checks_of(const td_workload *workload);
