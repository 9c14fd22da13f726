/*
 * kernels.cuh - the kernel templates: one for each way a map can drive a cell, map and cell inlined into it.
 *
 * Function pointers as template arguments are constants: there is no indirect call on the device.
 */
#ifndef TD_KERNELS_CUH
#define TD_KERNELS_CUH

#include "../td.h"

__device__ inline td_dim3 td_block_index(const td_launch &launch)
{
    td_dim3 block;
    block.x = launch.first.x + blockIdx.x;
    block.y = launch.first.y + blockIdx.y;
    block.z = launch.first.z + blockIdx.z;
    return block;
}

/* The whole square as tiles: no strategy, for it maps no triangle. */
__device__ inline td_tile td_whole_square_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile;
    (void)launch;
    tile.x = block.x;
    tile.y = block.y;
    tile.z = 0;
    tile.active = true;
    return tile;
}

/* A block map, one cell a thread: the tile is as large as the block. */
template <td_block_map_fn *Map, td_cell_fn *Cell>
__global__ void td_block_kernel(const td_launch launch, const td_data data)
{
    const td_tile tile = Map(&launch, td_block_index(launch));
    if (!tile.active) {
        return;
    }
    const uint32_t row = tile.y * blockDim.y + threadIdx.y;
    const uint32_t col = tile.x * blockDim.x + threadIdx.x;
    if (col <= row && row < data.n) {
        Cell(&data, row, col);
    }
}

/*
 * The cells of a tile, shared out over the threads of a block. Tiles that lie inside of the domain take a path without
 * a test per cell.
 */
template <td_cell_fn *Cell>
__device__ inline void td_walk_tile(const td_launch &launch, const td_data &data, td_tile tile)
{
    const uint32_t first_row = tile.y * launch.tile;
    const uint32_t first_col = tile.x * launch.tile;
    const bool inside = tile.x < tile.y && first_row + launch.tile <= data.n;
    for (uint32_t y = threadIdx.y; y < launch.tile; y += blockDim.y) {
        for (uint32_t x = threadIdx.x; x < launch.tile; x += blockDim.x) {
            const uint32_t row = first_row + y;
            const uint32_t col = first_col + x;
            if (inside || (col <= row && row < data.n)) {
                Cell(&data, row, col);
            }
        }
    }
}

/*
 * A block map with tiles larger than the block, or with fewer blocks than tiles: each block walks over
 * logical blocks blockIdx.x, blockIdx.x + gridDim.x, ... of launch.grid.
 */
template <td_block_map_fn *Map, td_cell_fn *Cell>
__global__ void td_loop_kernel(const td_launch launch, const td_data data)
{
    const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
        td_dim3 block;
        if (blocks <= UINT32_MAX) { /* 32-bit divisions are several times cheaper */
            const uint32_t index = (uint32_t)b;
            block.x = launch.first.x + index % launch.grid.x;
            block.y = launch.first.y + index / launch.grid.x % launch.grid.y;
            block.z = launch.first.z + index / launch.grid.x / launch.grid.y;
        } else {
            block.x = launch.first.x + (uint32_t)(b % launch.grid.x);
            block.y = launch.first.y + (uint32_t)(b / launch.grid.x % launch.grid.y);
            block.z = launch.first.z + (uint32_t)(b / launch.grid.x / launch.grid.y);
        }
        const td_tile tile = Map(&launch, block);
        if (tile.active) {
            td_walk_tile<Cell>(launch, data, tile);
        }
    }
}

/* A thread map. */
template <td_thread_map_fn *Map, td_cell_fn *Cell>
__global__ void td_thread_kernel(const td_launch launch, const td_data data)
{
    td_thread t;
    t.block = td_block_index(launch);
    t.thread.x = threadIdx.x;
    t.thread.y = threadIdx.y;
    t.thread.z = threadIdx.z;
    const td_cell cell = Map(&launch, t);
    if (cell.active) {
        Cell(&data, cell.row, cell.col);
    }
}

#endif
