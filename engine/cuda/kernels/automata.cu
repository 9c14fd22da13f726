/* automata.cu - kernels of automata, cell by cell: under every strategy, and on the whole square. */
#include "table_2d.cuh"

/* One tile of the whole square, of any size. */
template <td_cell_fn *Cell>
__global__ void td_square_kernel(const td_launch launch, const td_data data)
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
td_kernels td_kernels_of_row()
{
    td_kernels all = {};
    if constexpr (!Row::is_tiled) {
        constexpr td_cell_fn *cell =
            td_cell_of<typename Row::automaton, typename Row::technique, typename Row::width>;
        constexpr bool packed = Row::facts.storage == TD_STORED_PACKED;
        all = td_kernels_of_cell < cell, packed ? TD_PACKED_ROWS : TD_OTHER_ROWS > ();
        if constexpr (!td_facts_of<typename Row::automaton>::cells.no_square) {
            all.square = (const void *)td_square_kernel<cell>;
        }
    }
    return all;
}

template <typename Rows>
struct td_table_of;
template <typename None, typename... Rows>
struct td_table_of<td_rows<None, Rows...>> {
    static inline const td_kernels kernels[] = {td_kernels_of_row<Rows>()...};
};

const td_kernels *td_automaton_kernels(uint32_t workload, uint32_t row)
{
    return td_pick<const td_kernels *, TD_WORKLOAD_COUNT>(
        workload, [=]<uint32_t Id>() -> const td_kernels * {
            if constexpr (td_is_automaton<Id>) {
                typedef typename td_facts_of<td_automaton_by_id<Id>>::rows rows;
                return &td_table_of<rows>::kernels[row];
            } else {
                return NULL;
            }
        });
}
