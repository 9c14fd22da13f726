/* check_3d.h - what the cpu engine does differently in 3D, and for trees in either dimension. */
#ifndef TD_ENGINE_CPU_CHECK_3D_H
#define TD_ENGINE_CPU_CHECK_3D_H

#include "engine/engine.h"
#include "walk.h"

/* Every cell of a tetrahedron against its check; in the full layout all else against the poison. Adds to *counts. */
void td_cpu_check_tetrahedron(const td_workload *workload, const td_data *data, int threads,
                              td_check_counts *counts);

/* A tree strategy once through: each node an OpenMP task, as on a GPU each is a kernel. */
void td_cpu_tree(const td_execution *execution, const td_data *data, td_cpu_walk_fn *walk,
                 td_cpu_work work, int threads);

/* Element 0 of the output becomes the sum of the elements behind it, in a tree of a fixed shape. */
void td_cpu_total(const td_data *data);

#endif
