/* cells_2d.cu - every 2D workload but automata, under every strategy. */
#include "table_2d.cuh"

template <td_cell_fn *Cell>
struct td_table_of {
    static inline const td_kernels kernels = td_kernels_of_cell<Cell, TD_EITHER_ROWS>();
};

const td_kernels *td_kernels_2d(uint32_t workload)
{
    return td_pick<const td_kernels *, TD_WORKLOAD_COUNT>(
        workload, [&]<uint32_t Id>() -> const td_kernels * {
            if constexpr (td_is_plain_2d<Id>) {
                return &td_table_of<td_cell_by_id<Id>>::kernels;
            } else {
                return NULL;
            }
        });
}
