/* kernel_table.c - collects the kernels that nvcc made, once, and picks a workload's among them. */
#include "kernel_table.h"

static void (*const add[])(td_kernel_tables *to) = {
    td_add_cells_2d,      td_add_cells_3d,   td_add_automata,
    td_add_trees,         td_add_grid_tiles, td_add_persistent_tiles,
    td_add_dynamic_tiles, td_add_flat_tiles, td_add_blocked};

const td_kernels *td_kernels_of(const td_workload *workload, bool blocked)
{
    static td_kernel_tables tables;
    static bool made = false;
    for (size_t i = 0; !made && i < sizeof add / sizeof add[0]; i++) {
        add[i](&tables);
    }
    made = true;
    const uint32_t id = td_workload_id(workload);
    return blocked ? &tables.blocked[id] : &tables.rows[id][td_workload_row(workload)];
}
