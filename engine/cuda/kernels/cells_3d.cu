/* cells_3d.cu - every 3D strategy with every 3D workload. */
#include "engine/cuda/kernel_table.h"
#include "kernels_3d.cuh"
#include "workloads/workloads.h"

template <td_block_map_fn *Map, auto *Cell>
void td_add_map_3d(td_kernels *to, uint32_t strategy)
{
    to->cell[strategy] = (const void *)td_tile_kernel_3d<Map, Cell, 0, false>();
    to->loop[strategy] = (const void *)td_loop_kernel_3d<Map, Cell>;
    to->eight[0][strategy] = (const void *)td_tile_kernel_3d<Map, Cell, 8, false>();
    to->eight[1][strategy] = (const void *)td_tile_kernel_3d<Map, Cell, 8, true>();
}

/* Trees have their kernels in trees.cu. */
template <auto *Cell>
td_kernels td_kernels_of_cell_3d()
{
    td_kernels all = {};
#define MAP(s, A) td_add_map_3d<td_##s##_map, Cell>(&all, TD_STRATEGY_##s);
    TD_BLOCK_MAPS_3D(MAP, )
    return all;
}

template <auto *Cell>
struct td_table_of {
    static inline const td_kernels kernels = td_kernels_of_cell_3d<Cell>();
};

const td_kernels *td_kernels_3d(uint32_t workload)
{
    switch (workload) {
#define CASE(w, A)                                                                                 \
    case TD_WORKLOAD_##w:                                                                          \
        return &td_table_of<td_##w##_cell>::kernels;
        TD_PLAIN_3D(CASE, )
        TD_SUMS_3D(CASE, )
    default:
        return NULL;
    }
}
