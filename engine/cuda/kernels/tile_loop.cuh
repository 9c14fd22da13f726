/*
 * tile_loop.cuh - which thread computes which cells of a tile larger than the block.
 *
 * H200, N = 30720, tiles of 128, blocks of 256 threads: distances of one feature take 0.58 ms by lines of the output
 * and 0.89 ms by columns of the tile; constants take 0.47 and 1.00 ms.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_TILE_LOOP_CUH
#define TD_ENGINE_CUDA_KERNELS_TILE_LOOP_CUH

#include "strategies/map.h"
#include "workloads/data.h"

enum {
    /* A warp's stores should start at a multiple of this [elements]: a cache line of four-byte elements. */
    TD_ALIGNED = 32,
    /* The smallest side of a tile to align: in a tile one line wide, the shares of its rows are mostly ends. */
    TD_LINES_FROM = 2 * TD_ALIGNED
};

/* The facts that a thread knows about its tile loop. */
typedef struct {
    uint32_t side, first_row, first_col; /* of the tile [cells] */
    uint32_t threads, thread;            /* of the block */
} td_tile_loop;

__device__ inline td_tile_loop td_loop_of(const td_launch &launch, td_tile tile)
{
    return {launch.tile, tile.y * launch.tile, tile.x * launch.tile, blockDim.x * blockDim.y,
            threadIdx.y * blockDim.x + threadIdx.x};
}

/* Column `col` of a row, moved left until its index in the packed output is a multiple of TD_ALIGNED; may wrap below
 * 0. */
__device__ inline uint32_t td_aligned_col(const td_data &data, uint32_t row, uint32_t col)
{
    const uint32_t start = (uint32_t)td_row_start(&data, row);
    return col - (start + col) % TD_ALIGNED;
}

/*
 * One row per warp at a time.
 *
 * Rows of a packed triangle start anywhere, and a store across two lines costs two. A tile's share of a row therefore
 * begins and ends where lines of the output do, up to 31 columns to the left of the tile. The shares of all tiles still
 * make up the row: each tile leaves the end of its columns to the next tile, and the tile on the diagonal takes all
 * that is left.
 */
template <td_cell_fn *Cell, int Unroll = 4>
__device__ inline void td_loop_lines(const td_launch &launch, const td_data &data, td_tile tile)
{
    const auto [side, first_row, first_col, threads, thread] = td_loop_of(launch, tile);
    const uint32_t end_row = min(first_row + side, data.n);
    if (tile.x >= tile.y || end_row < first_row + side) {
        for (uint32_t row = first_row + thread / 32; row < end_row; row += threads / 32) {
            const uint32_t first = td_aligned_col(data, row, first_col);
            const uint32_t end = tile.x < tile.y ? first + side : row + 1;
            for (uint32_t col = first + thread % 32; (int32_t)col < (int32_t)end; col += 32) {
                if (col <= row) { /* not where the column wrapped */
                    Cell(&data, row, col);
                }
            }
        }
        return;
    }
    for (uint32_t y = thread / 32; y < side; y += threads / 32) {
        const uint32_t row = first_row + y;
        const uint32_t first = td_aligned_col(data, row, first_col) + thread % 32;
#pragma unroll(Unroll)
        for (uint32_t x = 0; x < side; x += 32) {
            if (tile.x > 0 || first + x <= row) { /* not where the column wrapped */
                Cell(&data, row, first + x);
            }
        }
    }
}

/*
 * One column per thread, if the tile's side divides the number of threads. Tiles inside the domain take a path without
 * a test per cell.
 */
template <td_cell_fn *Cell, int Unroll = 4>
__device__ inline void td_loop_cells_2d(const td_launch &launch, const td_data &data, td_tile tile)
{
    const auto [side, first_row, first_col, threads, thread] = td_loop_of(launch, tile);
    const bool inside = tile.x < tile.y && first_row + side <= data.n;
    if (inside && threads % side == 0) {
        const uint32_t col = first_col + thread % side;
#pragma unroll(Unroll)
        for (uint32_t y = thread / side; y < side; y += threads / side) {
            Cell(&data, first_row + y, col);
        }
        return;
    }
    for (uint32_t i = thread; i < side * side; i += threads) {
        const uint32_t row = first_row + i / side;
        const uint32_t col = first_col + i % side;
        if (inside || (col <= row && row < data.n)) {
            Cell(&data, row, col);
        }
    }
}

/*
 * Distribute the cells of a tile over the threads of a block. Neighbours in a warp take neighbours in a row, whatever
 * the shape of the block, so that stores are as long as the tile is wide.
 */
template <td_cell_fn *Cell, int Unroll = 4>
__device__ inline void td_loop_tile(const td_launch &launch, const td_data &data, td_tile tile)
{
    const uint32_t threads = blockDim.x * blockDim.y;
    if (launch.tile >= TD_LINES_FROM && launch.tile % TD_ALIGNED == 0 && threads % 32 == 0) {
        td_loop_lines<Cell, Unroll>(launch, data, tile);
    } else {
        td_loop_cells_2d<Cell, Unroll>(launch, data, tile);
    }
}

#endif
