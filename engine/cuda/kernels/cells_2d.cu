/* cells_2d.cu - every 2D workload but automata, under every strategy. */
#include "table_2d.cuh"
#include "workloads/workloads.h"

template <td_cell_fn *Cell>
struct td_table_of {
    static inline const td_kernels kernels = td_kernels_of_cell<Cell, TD_EITHER_ROWS>();
};

const td_kernels *td_kernels_2d(uint32_t workload)
{
    switch (workload) {
#define CASE(w, A)                                                                                 \
    case TD_WORKLOAD_##w:                                                                          \
        return &td_table_of<td_##w##_cell>::kernels;
        TD_PLAIN_2D(CASE, )
    default:
        return NULL;
    }
}
