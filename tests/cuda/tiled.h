/*
 * tiled.h - a cell's own thread stores 1, the kernel for whole tiles stores 2, so the output shows which one ran. The 2
 * comes from the end of more shared memory than a kernel may have that does not ask for it.
 */
#include "layout.h"

enum { TD_TILED_WORDS = 15000 };

TD_FN void td_tiled_cell(const td_data *data, uint32_t row, uint32_t col)
{
    *(uint32_t *)td_cell_4(data, row, col) = 1;
}

TD_FN td_verdict td_tiled_check(const td_data *data, uint32_t row, uint32_t col)
{
    td_verdict verdict;
    const uint32_t found = *(const uint32_t *)td_cell_4(data, row, col);
    verdict.ok = found == 1 || found == 2;
    verdict.error = 0.0;
    verdict.found = 0;
    return verdict;
}

#ifdef __CUDACC__
__device__ inline void td_tiled_tile(const td_data &data, td_work_tile tile)
{
#ifdef TD_EMULATED
    uint32_t *const words = (uint32_t *)emulator::shared_memory.data();
#else
    extern __shared__ uint32_t words[];
#endif
    if ((threadIdx.x | threadIdx.y) == 0) {
        words[TD_TILED_WORDS - 1] = 2;
    }
    __syncthreads();
    for (uint32_t y = threadIdx.y; y < tile.side; y += blockDim.y) {
        for (uint32_t x = threadIdx.x; x < tile.side; x += blockDim.x) {
            const uint32_t row = tile.y * tile.side + y, col = tile.x * tile.side + x;
            if (col <= row && row < data.n) {
                *(uint32_t *)td_cell_4(&data, row, col) = words[TD_TILED_WORDS - 1];
            }
        }
    }
}
#endif

TD_DESCRIPTOR td_tiles td_tiled_tiles = {
    .multiple = 1, .most = 64, .shared = TD_TILED_WORDS * sizeof(uint32_t)};

TD_DESCRIPTOR td_workload td_tiled_workload = {
    .name = "tiled",
    .summary = "which kernel ran",
    .dimension = 2,
    .element = TD_U32,
    .traits = {.has_layouts = true},
    .tiles = &td_tiled_tiles,
};
