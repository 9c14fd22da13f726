/*
 * blocked.cu - kernels for outputs that consist of tiles.
 *
 * A cell sees a tile of such an output as a full matrix, see td_in_tile. The cells are therefore those of the other
 * layouts, and so are most whole-tile kernels. Loops over cells are whole-tile kernels here, and choose their map at
 * run time.
 *
 * Cells of a state read their neighbours, which may lie in other tiles. Their workload has a cell function for that,
 * which sees the whole output.
 */
#include "bounded.cuh"
#include "dynamic_3d.cuh"
#include "engine/cuda/kernel_table.h"
#include "pick.cuh"
#include "workloads/tiles.cuh"

enum { TD_BLOCKED_REGISTERS = 64 }; /* per thread that loops over cells */

template <uint32_t Id>
constexpr bool td_has_states =
    td_is_automaton<Id> ||
    !std::is_null_pointer_v<std::remove_const_t<decltype(td_reference_by_id<Id>)>>;

/* Whether a workload has such outputs: in 3D all with states do. No workload without a check of a cell does. The
 * descriptors of all these may exist on the host only. */
template <uint32_t Id>
constexpr bool td_has_blocked()
{
    if constexpr (td_is_automaton<Id>) {
        return td_has_blocked_cell<td_automaton_by_id<Id>>;
    } else if constexpr (td_has_states<Id>) {
        return true;
    } else if constexpr (!std::is_null_pointer_v<
                             std::remove_const_t<decltype(td_check_by_id<Id>)>>) {
        return td_workload_by_id<Id>->has_blocked;
    } else {
        return false;
    }
}

/* The data for the cells of a tile: all of it for cells that find tiles themselves, else this tile as a full matrix. */
template <bool FindsTiles, int Dimension, typename Tile>
__device__ inline td_data td_seen_from(const td_data &data, const Tile &tile)
{
    if constexpr (FindsTiles) {
        return data;
    } else if constexpr (Dimension == 2) {
        return td_in_tile(&data, tile.x, tile.y);
    } else {
        return td_in_tile3(&data, tile.x, tile.y, tile.z);
    }
}

/* ---- one cell per thread ---- */

template <td_block_map_fn *Map, td_cell_fn *Cell, bool FindsTiles>
__global__ void td_blocked_kernel(const td_launch launch, const td_data data)
{
    const td_tile tile = Map(&launch, td_block_index<false>(launch));
    if (td_returns_early<Map> && !tile.active) {
        return;
    }
    const uint32_t row = tile.y * blockDim.y + threadIdx.y;
    const uint32_t col = tile.x * blockDim.x + threadIdx.x;
    if (col <= row && row < data.n) {
        const td_data in = td_seen_from<FindsTiles, 2>(data, tile);
        Cell(&in, row, col);
    }
}

/* Side: of the tile; 0: only the launch knows it. */
template <td_block_map_fn *Map, td_cell3_fn *Cell, bool FindsTiles, uint32_t Side>
__global__ void TD_BOUNDS_3D(Cell) td_blocked_kernel_3d(const td_launch launch, const td_data data)
{
    const td_tile tile = td_map_block<Map>(launch);
    if (tile.active) {
        td_data known = data;
        known.blocked = known.row_scale = Side > 0 ? Side : data.blocked;
        known.row_offset = 4 * known.row_scale;
        td_run_tile3<Cell, Side, true>(td_seen_from<FindsTiles, 3>(known, tile), tile);
    }
}

/* ---- whole tiles ---- */

/* A cell that finds tiles has so many instructions that a thread computes only one at a time, see td_unroll. */
template <td_cell_fn *Cell, bool FindsTiles>
__device__ inline void td_blocked_cells(const td_data &data, td_work_tile tile)
{
    td_launch launch = {};
    launch.tile = tile.side;
    td_loop_tile<Cell, FindsTiles ? 1 : 4>(launch, td_seen_from<FindsTiles, 2>(data, tile),
                                           {tile.x, tile.y, 0, true});
}

template <td_cell3_fn *Cell, bool FindsTiles>
__device__ inline void td_blocked_cells3(const td_data &data, td_work_tile3 tile)
{
    td_launch launch = {};
    launch.tile = launch.width = tile.side;
    td_loop_tile3<Cell>(launch, td_seen_from<FindsTiles, 3>(data, tile),
                        {tile.x, tile.y, tile.z, true});
}

/* A workload's own kernel. Rows end in whole sectors, so there are no ends to prefetch before the first tile. */
template <td_tile_fn *Tile>
__device__ inline void td_blocked_tile(const td_data &data, td_work_tile tile)
{
    tile.again = true;
    Tile(td_in_tile(&data, tile.x, tile.y), tile);
}

template <td_tile_fn *Tile, int Registers>
td_tile_kernels td_blocked_runs()
{
    return {(const void *)td_kernel_of<td_grid_of<Tile>::run, Registers>(),
            (const void *)td_kernel_of<td_persistent<Tile>::run, Registers>(),
            (const void *)td_kernel_of<td_dynamic<Tile>::run, Registers>()};
}

template <auto *Tile, int Registers>
td_tile_kernels td_blocked_runs_3d()
{
    return {(const void *)td_kernel_of<td_run_block_3d<Tile>, Registers>(),
            (const void *)td_kernel_of<td_run_blocks_3d<Tile>, Registers>(),
            (const void *)td_kernel_of<td_run_dynamic_tiles_3d<Tile>, Registers>()};
}

td_tile_kernels td_blocked_tile_kernels(uint32_t workload)
{
    return td_pick<td_tile_kernels, TD_WORKLOAD_COUNT>(
        workload, [&]<uint32_t Id>() -> td_tile_kernels {
            if constexpr (!td_has_blocked<Id>() || !td_has_tile<Id> || td_has_states<Id>) {
                return {};
            } else if constexpr (td_is_3d<Id>) {
                return td_blocked_runs_3d<td_blocked_tile_of<Id>, td_registers_of<Id>>();
            } else {
                return td_blocked_runs<td_blocked_tile<td_tile_of<Id>>, td_registers_of<Id>>();
            }
        });
}

/* ---- the table ---- */

template <uint32_t Id>
td_kernels td_blocked_kernels_of()
{
    constexpr auto *cell = td_blocked_cell_by_id<Id>;
    constexpr bool finds = td_has_states<Id>;
    td_kernels all = {};
    td_tile_kernels loops;
    if constexpr (td_is_3d<Id>) {
        loops = td_blocked_runs_3d<td_blocked_cells3<cell, finds>, TD_BLOCKED_REGISTERS>();
    } else {
        loops = td_blocked_runs<td_blocked_cells<cell, finds>, TD_BLOCKED_REGISTERS>();
    }
    all.dynamic = loops.dynamic;
    td_for_ids<TD_STRATEGY_COUNT>([&]<uint32_t Strategy>() {
        constexpr const td_strategy *s = td_strategy_by_id[Strategy];
        if constexpr (s->unit == TD_MAPS_BLOCKS && s->tree == NULL &&
                      s->dimension == (td_is_3d<Id> ? 3 : 2)) {
            all.loop[Strategy] = loops.persistent;
            if constexpr (s->dimension == 2) {
                all.cell[Strategy] = (const void *)td_blocked_kernel<s->block_map, cell, finds>;
            } else {
                all.cell[Strategy] =
                    (const void *)td_blocked_kernel_3d<s->block_map, cell, finds, 0>;
                all.eight[0][Strategy] =
                    (const void *)td_blocked_kernel_3d<s->block_map, cell, finds, 8>;
            }
        }
    });
    return all;
}

template <uint32_t Id>
struct td_blocked_table_of {
    static inline const td_kernels kernels = td_blocked_kernels_of<Id>();
};

const td_kernels *td_blocked_kernels(uint32_t workload)
{
    return td_pick<const td_kernels *, TD_WORKLOAD_COUNT>(
        workload, [&]<uint32_t Id>() -> const td_kernels * {
            if constexpr (td_has_blocked<Id>()) {
                return &td_blocked_table_of<Id>::kernels;
            } else {
                return NULL;
            }
        });
}
