/* kernel_table.c - which of the tables that nvcc makes is a workload's. */
#include "kernel_table.h"

const td_kernels *td_kernels_of(const td_workload *workload)
{
    return workload->automaton != NULL
               ? td_automaton_kernels(workload->id, td_workload_row(workload))
           : workload->dimension == 3 ? td_kernels_3d(workload->id)
                                      : td_kernels_2d(workload->id);
}

td_tile_kernels td_tile_kernels_of(const td_workload *workload)
{
    if (workload->dimension == 3) {
        return td_tile_kernels_3d(workload->id);
    }
    const uint32_t row = td_workload_row(workload);
    return (td_tile_kernels){td_grid_tiles(workload->id, row),
                             td_persistent_tiles(workload->id, row)};
}
