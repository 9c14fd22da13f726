/* check_3d.h - the cells of a tetrahedron against their checks. */
#ifndef TD_ENGINE_CPU_CHECK_3D_H
#define TD_ENGINE_CPU_CHECK_3D_H

#include "engine/engine.h"

/* Every cell of a tetrahedron against its check; in the full layout all else against the poison. Adds to *counts. */
void td_cpu_check_tetrahedron(const td_workload *workload, const td_data *data, int threads,
                              td_check_counts *counts);

/* Visit every cell. */
void td_cpu_each_of_tetrahedron(td_cell3_fn *cell, const td_data *data, int threads);

#endif
