/*
 * kernels.cuh - the kernel templates: one for each way in which a map can drive a cell, with map and cell inlined.
 *
 * Function pointers as template arguments are constants: there is no indirect call on the device. A kernel td_X_kernel
 * is one call of td_run_X.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_KERNELS_CUH
#define TD_ENGINE_CUDA_KERNELS_KERNELS_CUH

#include "strategies/strategies.h"
#include "tile_loop.cuh"

/* The index of a block. Grids that were cut into pieces start at launch.first; all others save the additions. */
template <bool Cut>
__device__ inline td_dim3 td_block_index(const td_launch &launch)
{
    td_dim3 block;
    block.x = Cut ? launch.first.x + blockIdx.x : blockIdx.x;
    block.y = Cut ? launch.first.y + blockIdx.y : blockIdx.y;
    block.z = Cut ? launch.first.z + blockIdx.z : blockIdx.z;
    return block;
}

/* A launch from the device. Nothing is known about it except that it ends before the launching kernel counts as
 * done. */
#ifndef TD_FIRE
#define TD_FIRE(kernel, grid, block) (kernel)<<<grid, block, 0, cudaStreamFireAndForget>>>
#endif

/* td_strategies, at compile time. */
#define TD_ROW(s, ...) &td_##s,
inline constexpr const td_strategy *td_strategy_by_id[] = {TD_STRATEGIES(TD_ROW, )};
#undef TD_ROW

/* The descriptor of the strategy with this map: kernels know maps, not names. */
constexpr const td_strategy &td_strategy_with(td_block_map_fn *map)
{
    size_t i = 0;
    while (td_strategy_by_id[i]->block_map != map) {
        i++;
    }
    return *td_strategy_by_id[i];
}

/*
 * Whether a wasted block returns at once. Half of a bounding box's blocks are wasted, so the test pays off there. If
 * one in a hundred is wasted, the test costs all the others more than it saves (2 %; H200, distances of one feature, N
 * = 30720), so a wasted block ends at the test of the cell instead.
 */
template <td_block_map_fn *Map>
inline constexpr bool td_returns_early = !td_strategy_with(Map).few_wasted;

/*
 * The map with this number, between First and End, by comparisons: a switch would jump through a table in constant
 * memory, which every SM has to fetch in every launch (H200: 0.1 us).
 */
template <td_block_map_fn *const *Maps, uint32_t First, uint32_t End>
__device__ inline td_tile td_map_numbered(uint32_t number, const td_launch &launch, td_dim3 block)
{
    if constexpr (First + 1 == End) {
        constexpr td_block_map_fn *map = Maps[First];
        return map(&launch, block);
    } else {
        constexpr uint32_t middle = (First + End) / 2;
        return number < middle ? td_map_numbered<Maps, First, middle>(number, launch, block)
                               : td_map_numbered<Maps, middle, End>(number, launch, block);
    }
}

/* The recursion of a tree. */
template <td_block_map_fn *Map>
inline constexpr td_tree td_tree_of = *td_strategy_with(Map).tree;

/* The map of the whole square, from whichever strategy has one. */
constexpr td_block_map_fn *td_find_square_map()
{
    for (const td_strategy *strategy : td_strategy_by_id) {
        if (strategy->square_map != NULL) {
            return strategy->square_map;
        }
    }
    return NULL;
}
inline constexpr td_block_map_fn *td_whole_square_map = td_find_square_map();

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

/* A block map, one cell per thread: the tile is as large as the block. Part: tile (0, 0) is at launch.origin, and cells
 * beyond the last row are not this launch's. All others save the additions and, where few blocks are wasted, the
 * test. */
template <td_block_map_fn *Map, td_cell_fn *Cell, bool Packed, bool Part = false>
__device__ inline void td_run_block(const td_launch &launch, const td_data &data)
{
    const td_data local = td_for_layout<Packed>(data);
    td_tile tile = Map(&launch, td_block_index<false>(launch));
    constexpr bool returns = Part || td_returns_early<Map>;
    if (returns && !tile.active) {
        return;
    }
    if (Part) {
        tile.x += launch.origin_x;
        tile.y += launch.origin_y;
    }
    const uint32_t row = tile.y * blockDim.y + threadIdx.y;
    const uint32_t col = tile.x * blockDim.x + threadIdx.x;
    if (col <= row && row < local.n) {
        Cell(&local, row, col);
    }
}

template <td_block_map_fn *Map, td_cell_fn *Cell, bool Packed, bool Part = false>
__global__ void td_block_kernel(const td_launch launch, const td_data data)
{
    td_run_block<Map, Cell, Packed, Part>(launch, data);
}

/* The rectangle of a part of a domain, one cell per thread, packed: no map and no diagonal. */
template <td_cell_fn *Cell>
__device__ inline void td_run_rectangle(const td_launch &launch, const td_data &data)
{
    const td_data local = td_for_layout<true>(data);
    const uint32_t row = (launch.origin_y + blockIdx.y) * blockDim.y + threadIdx.y;
    const uint32_t col = (launch.origin_x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (row < local.n) {
        Cell(&local, row, col);
    }
}

template <td_cell_fn *Cell>
__global__ void td_rectangle_kernel(const td_launch launch, const td_data data)
{
    td_run_rectangle<Cell>(launch, data);
}

/* Logical block b of the `blocks` in launch.grid. */
__device__ inline td_dim3 td_block_at(const td_launch &launch, uint64_t b, uint64_t blocks)
{
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
    return block;
}

/*
 * A block map with tiles larger than the block, or with fewer blocks than tiles: each block loops over logical blocks
 * blockIdx.x, blockIdx.x + gridDim.x, ... of launch.grid. Unroll: cells that a thread computes at a time.
 */
template <td_block_map_fn *Map, td_cell_fn *Cell, int Unroll = 4>
__device__ inline void td_run_loop(const td_launch &launch, const td_data &data)
{
    const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
        td_tile tile = Map(&launch, td_block_at(launch, b, blocks));
        if (tile.active) {
            tile.x += launch.origin_x;
            tile.y += launch.origin_y;
            td_loop_tile<Cell, Unroll>(launch, data, tile);
        }
    }
}

template <td_block_map_fn *Map, td_cell_fn *Cell, int Unroll = 4>
__global__ void td_loop_kernel(const td_launch launch, const td_data data)
{
    td_run_loop<Map, Cell, Unroll>(launch, data);
}

/* A thread map. */
template <td_thread_map_fn *Map, td_cell_fn *Cell, bool Packed, bool Cut>
__device__ inline void td_run_thread(const td_launch &launch, const td_data &data)
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

template <td_thread_map_fn *Map, td_cell_fn *Cell, bool Packed, bool Cut>
__global__ void td_thread_kernel(const td_launch launch, const td_data data)
{
    td_run_thread<Map, Cell, Packed, Cut>(launch, data);
}

#endif
