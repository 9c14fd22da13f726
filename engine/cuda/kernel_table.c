/* kernel_table.c - picks a workload's tables among those that nvcc makes. */
#include "kernel_table.h"

const td_kernels *td_kernels_of(const td_workload *workload, bool blocked)
{
    const uint32_t id = td_workload_id(workload), row = td_workload_row(workload);
    return blocked                       ? td_blocked_kernels(id)
           : workload->dimension == 3    ? td_kernels_3d(id, row)
           : workload->automaton != NULL ? td_automaton_kernels(id, row)
                                         : td_kernels_2d(id);
}

td_tile_kernels td_tile_kernels_of(const td_workload *workload, bool blocked)
{
    const uint32_t id = td_workload_id(workload), row = td_workload_row(workload);
    if (blocked) {
        return td_blocked_tile_kernels(id);
    }
    if (workload->dimension == 3) {
        return td_tile_kernels_3d(id, row);
    }
    return (td_tile_kernels){td_grid_tiles(id, row), td_persistent_tiles(id, row),
                             td_dynamic_tiles(id, row), td_flat_tiles(id, row)};
}
