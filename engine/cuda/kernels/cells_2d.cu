/* cells_2d.cu - every 2D workload but automata, cell by cell under every strategy. */
#include "cells.cuh"

void td_add_cells_2d(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_is_plain_2d<Id>) {
            td_add_cells<td_cell_by_id<Id>>(&to->rows[Id][0]);
        }
    });
}
