/* automata.cu - automata, cell by cell under every strategy and on the whole square. */
#include "cells.cuh"

/* One tile of the whole square, of any size. */
template <td_cell_fn *Cell>
__device__ inline void td_run_square(const td_launch &launch, const td_data &data, uint32_t)
{
    const td_dim3 tile = td_block_index<true>(launch);
    for (uint32_t y = threadIdx.y; y < launch.tile; y += blockDim.y) {
        for (uint32_t x = threadIdx.x; x < launch.tile; x += blockDim.x) {
            const uint32_t row = tile.y * launch.tile + y;
            const uint32_t col = tile.x * launch.tile + x;
            if (row < data.n && col < data.n) {
                Cell(&data, row, col);
            }
        }
    }
}

template <typename Row>
void td_add_row(td_kernels *to)
{
    if constexpr (!Row::is_tiled) {
        constexpr td_cell_fn *cell =
            td_cell_of<typename Row::automaton, typename Row::technique, typename Row::width>;
        constexpr bool packed = Row::facts.storage == TD_STORED_PACKED;
        td_add_cells<cell, packed ? TD_PACKED_ROWS : TD_OTHER_ROWS>(to);
        if constexpr (!td_facts_of<typename Row::automaton>::cells.no_square) {
            to->of[TD_SQUARE_CELLS][0] = td_kernel_of<td_run_square<cell>>();
        }
    }
}

void td_add_automata(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_is_automaton<Id>) {
            td_for_rows<Id>(
                [&]<typename Row>(uint32_t row) { td_add_row<Row>(&to->rows[Id][row]); });
        }
    });
}
