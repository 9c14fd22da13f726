/* automata.cu - automata, cell by cell: under every strategy, and on the whole square. */
#include "table_2d.cuh"

TD_PACKED_VARIANTS_2D(TD_PACKED_KERNELS_2D, )
TD_OTHER_VARIANTS_2D(TD_OTHER_KERNELS_2D, )

/* One tile of the whole square, whatever its size. */
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

#define SQUARE(w, A)                                                                               \
    extern "C" const void *const td_square_##w;                                                    \
    const void *const td_square_##w = (const void *)td_square_kernel<td_##w##_cell>;
TD_VARIANTS_2D(SQUARE, )
