/* automata.cu - automata, cell by cell: under every strategy, and on the whole square. */
#include "table_2d.cuh"
#include "chosen_map.cuh"

/* As td_loop_kernel, under any map, and a cell at a time: unrolled, and for each map, they would take half of the
 * build. */
template <td_cell_fn *Cell>
__global__ void td_any_loop_kernel(const td_launch launch, const td_data data,
                                   const uint32_t strategy)
{
    const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
        const td_tile tile = td_map_with(strategy, launch, td_block_at(launch, b, blocks));
        if (tile.active) {
            td_loop_tile<Cell, 1>(launch, data, tile);
        }
    }
}

#define ANY_LOOP(w) (const void *)td_any_loop_kernel<td_##w##_cell>
#define BLOCK_LOOP(s, w) ANY_LOOP(w),
#define LOOP(w)                                                                                    \
    {                                                                                              \
        TD_BLOCK_MAPS(BLOCK_LOOP, w) TD_THREAD_MAPS(TD_THREAD_CUT, w) TD_TREES(TD_NONE, w)         \
    }

/* The rows of a state are packed, or never are. A rectangle is one map of many. */
#define PACKED_KERNELS(w, A)                                                                       \
    extern "C" const td_kernels td_kernels_##w;                                                    \
    const td_kernels td_kernels_##w = {TD_PACKED(w), {}, LOOP(w), {}, {}, NULL, ANY_LOOP(w)};
#define OTHER_KERNELS(w, A)                                                                        \
    extern "C" const td_kernels td_kernels_##w;                                                    \
    const td_kernels td_kernels_##w = {{}, TD_CELL(w), LOOP(w), {}, {}, NULL, ANY_LOOP(w)};

TD_PACKED_VARIANTS_2D(PACKED_KERNELS, )
TD_OTHER_VARIANTS_2D(OTHER_KERNELS, )

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
