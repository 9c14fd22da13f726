/* cells_3d.cu - every 3D strategy with every 3D workload, and with every row of its table. */
#include "engine/cuda/kernel_table.h"
#include "bounded.cuh"
#include "dynamic_3d.cuh"
#include "pick.cuh"

template <td_block_map_fn *Map, auto *Cell>
void td_add_map_3d(td_kernels *to, uint32_t strategy)
{
    to->cell[strategy] = (const void *)td_tile_kernel_3d<Map, Cell, 0, false>();
    to->loop[strategy] = (const void *)td_loop_kernel_3d<Map, Cell>;
    to->eight[0][strategy] = (const void *)td_tile_kernel_3d<Map, Cell, 8, false>();
    to->eight[1][strategy] = (const void *)td_tile_kernel_3d<Map, Cell, 8, true>();
}

template <auto *Cell>
__global__ void TD_BOUNDS_3D(Cell)
    td_dynamic_kernel_3d(const td_launch launch, const td_data data, const uint32_t strategy)
{
    td_run_dynamic_3d<Cell>(launch, data, strategy);
}

/* Trees have their kernels in trees.cu. */
template <auto *Cell>
td_kernels td_kernels_of_cell_3d()
{
    td_kernels all = {};
    if constexpr (Cell != nullptr) {
        td_for_ids<TD_STRATEGY_COUNT>([&]<uint32_t Id>() {
            constexpr const td_strategy *s = td_strategy_by_id[Id];
            if constexpr (s->dimension == 3 && s->tree == NULL) {
                td_add_map_3d<s->block_map, Cell>(&all, Id);
            }
        });
        all.dynamic = (const void *)td_dynamic_kernel_3d<Cell>;
    }
    return all;
}

template <auto *Cell>
struct td_table_of {
    static inline const td_kernels kernels = td_kernels_of_cell_3d<Cell>();
};

const td_kernels *td_kernels_3d(uint32_t workload, uint32_t row)
{
    return td_pick_3d<const td_kernels *>(workload, row, [&]<uint32_t Id, uint32_t Row>() {
        return &td_table_of<td_cell_by_id<Id, Row>>::kernels;
    });
}
