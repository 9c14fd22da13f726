/* one_cell.cuh - what kernels with one cell per thread run: the tile is as large as the block. The functions are
 * td_run_fn. */
#ifndef TD_ENGINE_CUDA_KERNELS_ONE_CELL_CUH
#define TD_ENGINE_CUDA_KERNELS_ONE_CELL_CUH

#include "maps.cuh"
#include "tile_loop_3d.cuh"

/* ---- 2D ---- */

/*
 * In the packed layout the coefficients of a row's start are constants, which saves loading them after the cell's work.
 */
template <bool Packed>
__device__ inline td_data td_for_layout(const td_data &data)
{
    td_data local = data;
    if (Packed) {
        local.row_scale = TD_PACKED_ROW_SCALE;
        local.row_offset = TD_PACKED_ROW_OFFSET;
    }
    return local;
}

/* A block map. Part: tile (0, 0) is at launch.origin, and cells beyond the last row are not this launch's. All others
 * save the additions and, where few blocks are wasted, the test. */
template <td_block_map_fn *Map, td_cell_fn *Cell, bool Packed, bool Part = false>
__device__ inline void td_run_block(const td_launch &launch, const td_data &data, uint32_t)
{
    const td_data local = td_for_layout<Packed>(data);
    td_tile tile = Map(&launch, td_block_index<false>(launch));
    constexpr bool returns = Part || td_returns_early<Map>;
    if (returns && !tile.active) {
        return;
    }
    if (Part) {
        tile = td_in_part<2>(launch, tile);
    }
    const auto run_cell = [&](const td_tile &at) {
        const uint32_t row = at.y * blockDim.y + threadIdx.y;
        const uint32_t col = at.x * blockDim.x + threadIdx.x;
        if (col <= row && row < local.n) {
            Cell(&local, row, col);
        }
    };
    if constexpr (td_is_by_rows<Map>) {
        for (uint32_t k = 0; k < td_tile_count(2, &launch, tile); k++) {
            run_cell(td_nth_tile(2, &launch, tile, k));
        }
    } else {
        run_cell(tile);
    }
}

/* The rectangle of a part of a domain, packed: no map and no diagonal. */
template <td_cell_fn *Cell>
__device__ inline void td_run_rectangle(const td_launch &launch, const td_data &data, uint32_t)
{
    const td_data local = td_for_layout<true>(data);
    const uint32_t row = (launch.origin_y + blockIdx.y) * blockDim.y + threadIdx.y;
    const uint32_t col = (launch.origin_x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (row < local.n) {
        Cell(&local, row, col);
    }
}

/* A thread map. */
template <td_thread_map_fn *Map, td_cell_fn *Cell, bool Packed, bool Cut>
__device__ inline void td_run_thread(const td_launch &launch, const td_data &data, uint32_t)
{
    const td_data local = td_for_layout<Packed>(data);
    td_thread t;
    t.block = td_block_index<Cut>(launch);
    t.thread.x = threadIdx.x;
    t.thread.y = threadIdx.y;
    t.thread.z = threadIdx.z;
    td_launch local_launch = launch;
    local_launch.block.x = blockDim.x;
    local_launch.block.y = blockDim.y;
    const td_cell cell = Map(&local_launch, t);
    if (cell.active) {
        Cell(&local, cell.row, cell.col);
    }
}

/* ---- 3D ---- */

/*
 * The tile of this block. Where one thread computes it, a wasted block is mapped outside the domain: the test of each
 * cell is enough then, and a test of `active` beside it would cost 4 % of `write`.
 *
 * Grids of 3D plans are never cut in pieces, see their exact ranges: first is 0, and adding it would cost a wasted
 * block a tenth of its time.
 */
template <td_block_map_fn *Map>
__device__ inline td_tile td_map_block(const td_launch &launch)
{
    if constexpr (!td_is_costly<Map>) {
        return Map(&launch, td_block_index<false>(launch));
    } else {
        __shared__ td_tile shared;
        if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {
            shared = Map(&launch, td_block_index<false>(launch));
            shared.z = shared.active ? shared.z : (uint32_t)TD_OUTSIDE;
        }
        __syncthreads();
        return shared;
    }
}

/* A tile as large as the block, or a tile of whole rows, which may have any size. */
template <td_block_map_fn *Map, auto *Cell, int Side, bool Full>
__device__ inline void td_run_cells_3d(const td_launch &launch, const td_data &data, uint32_t)
{
    if constexpr (td_has_whole_rows<Map>) {
        const td_tile tile = Map(&launch, td_block_index<false>(launch));
        if (tile.active) {
            td_loop_tile3<Cell>(launch, data, tile);
        }
    } else {
        const td_tile tile = td_map_block<Map>(launch);
        if ((td_is_costly<Map> && !td_is_sum<Cell>) || tile.active) {
            td_run_tile3<Cell, Side, Full>(data, tile);
        }
    }
}

#endif
