/* check_3d.h - checks the cells of a tetrahedron. */
#pragma once

#include "engine/engine.h"

/* Check every cell of a tetrahedron and, in the full layout, that everything else still holds the poison. Adds to
 * *counts. */
void td_cpu_check_tetrahedron(const td_workload *workload, const td_data *data, int threads,
                              td_check_counts *counts);

/* Call `cell` for every cell of the tetrahedron. */
void td_cpu_each_of_tetrahedron(td_cell3_fn *cell, const td_data *data, int threads);
