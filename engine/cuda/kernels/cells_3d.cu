/* cells_3d.cu - every 3D workload, and every row of its table, cell by cell under every strategy. */
#include "cells.cuh"

void td_add_cells_3d(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_is_3d<Id>) {
            td_for_ids<td_rows_3d<Id>>([&]<uint32_t Row>() {
                constexpr auto *cell = td_cell_by_id<Id, Row>;
                if constexpr (cell != nullptr) {
                    td_add_cells<cell>(&to->rows[Id][Row]);
                }
            });
        }
    });
}
