/* kernel_table.c - collects the kernels that nvcc made, once, and picks a workload's among them. */
#include "kernel_table.h"

static void (*const add[])(td_kernel_tables *to) = {
    td_add_cells_2d,   td_add_cells_3d,   td_add_automata,         td_add_trees,
    td_add_blocked,    td_add_grid_tiles, td_add_persistent_tiles, td_add_dynamic_tiles,
    td_add_flat_tiles, td_add_checks,     td_add_clusters,         td_add_coverage};

static const td_kernel_tables *all(void)
{
    static td_kernel_tables tables;
    static bool made = false;
    for (size_t i = 0; !made && i < sizeof add / sizeof add[0]; i++) {
        add[i](&tables);
    }
    made = true;
    return &tables;
}

const td_kernels *td_kernels_of(const td_workload *workload, bool blocked)
{
    const uint32_t id = td_workload_id(workload);
    return blocked ? &all()->blocked[id] : &all()->rows[id][td_workload_row(workload)];
}

const void *td_map_kernel(const td_strategy *strategy, td_form form)
{
    return form == TD_ASK ? all()->ask[strategy->id] : all()->coverage[strategy->id];
}
