/*
 * blocked.cu - kernels for outputs that consist of tiles.
 *
 * A cell sees a tile of such an output as a full matrix, see td_in_tile. The cells are therefore those of the other
 * layouts, and so are most whole-tile kernels. Loops over cells are whole-tile kernels here, and choose their map at
 * run time.
 */
#include "cells.cuh"
#include "whole_tiles.cuh"

enum { TD_BLOCKED_REGISTERS = 64 }; /* per thread that loops over cells */

/* Whether a workload has such outputs. None without a check of a cell has, nor has a state. */
template <uint32_t Id>
constexpr bool td_has_blocked()
{
    if constexpr (!std::is_null_pointer_v<std::remove_const_t<decltype(td_check_by_id<Id>)>> &&
                  std::is_null_pointer_v<std::remove_const_t<decltype(td_reference_by_id<Id>)>>) {
        return td_workload_by_id<Id>->traits.has_blocked;
    } else {
        return false;
    }
}

/* ---- one cell per thread ---- */

template <td_block_map_fn *Map, td_cell_fn *Cell>
__device__ inline void td_run_blocked(const td_launch &launch, const td_data &data, uint32_t)
{
    const td_tile tile = Map(&launch, td_block_index<false>(launch));
    if (td_returns_early<Map> && !tile.active) {
        return;
    }
    const uint32_t row = tile.y * blockDim.y + threadIdx.y;
    const uint32_t col = tile.x * blockDim.x + threadIdx.x;
    if (col <= row && row < data.n) {
        const td_data in = td_in_tile(&data, tile.x, tile.y);
        Cell(&in, row, col);
    }
}

/* Side: of the tile; 0: only the launch knows it. */
template <td_block_map_fn *Map, td_cell3_fn *Cell, uint32_t Side>
__device__ inline void td_run_blocked_3d(const td_launch &launch, const td_data &data, uint32_t)
{
    const td_tile tile = td_map_block<Map>(launch);
    if (tile.active) {
        td_data known = data;
        known.blocked = known.row_scale = Side > 0 ? Side : data.blocked;
        known.row_offset = 4 * known.row_scale;
        td_run_tile3<Cell, Side, true>(td_in_tile3(&known, tile.x, tile.y, tile.z), tile);
    }
}

/* ---- whole tiles ---- */

template <td_cell_fn *Cell>
__device__ inline void td_blocked_cells(const td_data &data, td_work_tile tile)
{
    td_launch launch = {};
    launch.tile = tile.side;
    td_loop_tile<Cell, 4>(launch, td_in_tile(&data, tile.x, tile.y), {tile.x, tile.y, 0, true});
}

template <td_cell3_fn *Cell>
__device__ inline void td_blocked_cells(const td_data &data, td_work_tile3 tile)
{
    td_launch launch = {};
    launch.tile = launch.width = tile.side;
    td_loop_tile3<Cell>(launch, td_in_tile3(&data, tile.x, tile.y, tile.z),
                        {tile.x, tile.y, tile.z, true});
}

/* A workload's own kernel. Rows end in whole sectors, so there are no ends to prefetch before the first tile. */
template <td_tile_fn *Tile>
__device__ inline void td_blocked_tile(const td_data &data, td_work_tile tile)
{
    tile.again = true;
    Tile(td_in_tile(&data, tile.x, tile.y), tile);
}

/* ---- the table ---- */

template <auto *Tile, int Registers>
void td_add_blocked_tiles(td_kernels *to)
{
    to->of[TD_TILES][0] = td_tile_kernel<TD_TILES, Tile, Registers>();
    to->of[TD_PERSISTENT_TILES][0] = td_tile_kernel<TD_PERSISTENT_TILES, Tile, Registers>();
    to->of[TD_DYNAMIC_TILES][0] = td_tile_kernel<TD_DYNAMIC_TILES, Tile, Registers>();
}

template <auto *Cell>
void td_add_blocked_cells(td_kernels *to)
{
    constexpr int dimension = td_dimension(Cell);
    typedef std::conditional_t<dimension == 2, td_tile_fn, td_tile3_fn> tile_fn;
    constexpr tile_fn *cells = td_blocked_cells<Cell>;
    const void *const loop = td_tile_kernel<TD_PERSISTENT_TILES, cells, TD_BLOCKED_REGISTERS>();
    to->of[TD_DYNAMIC][0] = td_tile_kernel<TD_DYNAMIC_TILES, cells, TD_BLOCKED_REGISTERS>();
    td_for_ids<TD_STRATEGY_COUNT>([&]<uint32_t Id>() {
        constexpr const td_strategy *s = td_strategy_by_id[Id];
        if constexpr (td_has_number(dimension, Id)) {
            constexpr td_block_map_fn *map = s->block_map;
            to->of[TD_LOOPS][Id] = loop;
            if constexpr (dimension == 2) {
                to->of[TD_ANY_CELLS][Id] = td_kernel_of<td_run_blocked<map, Cell>>();
            } else {
                to->of[TD_ANY_CELLS][Id] = td_kernel_3d<Cell, td_run_blocked_3d<map, Cell, 0>>();
                to->of[TD_EIGHT_PACKED][Id] = td_kernel_3d<Cell, td_run_blocked_3d<map, Cell, 8>>();
            }
        }
    });
}

void td_add_blocked(td_kernel_tables *to)
{
    td_for_ids<TD_WORKLOAD_COUNT>([&]<uint32_t Id>() {
        if constexpr (td_has_blocked<Id>()) {
            td_add_blocked_cells<td_cell_by_id<Id>>(&to->blocked[Id]);
            if constexpr (!td_has_tile<Id>) {
            } else if constexpr (td_is_3d<Id>) {
                td_add_blocked_tiles<td_blocked_tile_of<Id>, td_registers_of<Id>>(&to->blocked[Id]);
            } else {
                td_add_blocked_tiles<td_blocked_tile<td_tile_of<Id>>, td_registers_of<Id>>(
                    &to->blocked[Id]);
            }
        }
    });
}
