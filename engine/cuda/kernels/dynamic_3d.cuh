/* dynamic_3d.cuh - --schedule dynamic for tetrahedra; see dynamic.cuh. */
#ifndef TD_ENGINE_CUDA_KERNELS_DYNAMIC_3D_CUH
#define TD_ENGINE_CUDA_KERNELS_DYNAMIC_3D_CUH

#include "dynamic.cuh"
#include "tile_runs_3d.cuh"

template <auto *Tile>
__device__ inline void td_run_dynamic_tiles_3d(const td_launch &launch, const td_data &data,
                                               uint32_t strategy)
{
    bool is_ahead = false;
    if constexpr (td_tiles_ahead<Tile>::exists) {
        is_ahead = td_tiles_ahead<Tile>::fits(data, launch.tile, launch.width);
        if (is_ahead) {
            td_tiles_ahead<Tile>::ahead(data, launch.tile, td_block_tiles_3d(launch, strategy));
        }
    }
    td_take_tiles<td_tile_at<td_map_with_3d>>(launch, strategy, [&](const td_tile &tile, bool) {
        if constexpr (td_tiles_ahead<Tile>::exists) {
            if (is_ahead) {
                td_tiles_ahead<Tile>::rest(data, td_work_of(launch, tile));
                return;
            }
        }
        td_run_tile_3d<Tile>(launch, data, tile);
    });
}

/* Update the cells (x, y, z), (x, y, z + 2), ... of a tile of side 8, those of the domain. A thread reads all of them
 * before it writes the first: one by one, each would wait for DRAM. */
template <auto *Cell>
__device__ inline void td_update_cells(const td_data &data, uint32_t x, uint32_t y, uint32_t z)
{
    int32_t value[4];
#pragma unroll
    for (uint32_t k = 0; k < 4; k++) {
        if (x + y <= z + 2 * k && z + 2 * k < data.n) {
            value[k] = td_load_with_neighbours((const int32_t *)td_cell3_4(&data, x, y, z + 2 * k));
        }
    }
#pragma unroll
    for (uint32_t k = 0; k < 4; k++) {
        if (x + y <= z + 2 * k && z + 2 * k < data.n) {
            *(int32_t *)td_cell3_4(&data, x, y, z + 2 * k) = td_update<Cell>::run(value[k]);
        }
    }
}

/* In place of a tile: run b, the tiles 16 b to 16 b + 15. */
__device__ inline td_tile td_run_at(uint32_t, const td_launch &, uint64_t b, uint64_t)
{
    td_tile run = {};
    run.x = (uint32_t)b;
    run.active = true;
    return run;
}

/*
 * Blocks of 8 x 8 x 8 threads take 16 tiles of this size at a time, of which each lane maps one. They update four at
 * once, which most maps lay side by side: the 32 lanes of a warp then have a row of 32 cells.
 */
template <auto *Cell>
__device__ inline void td_take_updates(const td_launch &launch, const td_data &data,
                                       uint32_t strategy)
{
    const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    const uint32_t thread = td_thread_of_block(), lane = thread % 32, warp = thread / 32;
    td_launch runs = launch;
    runs.grid.x = (uint32_t)((blocks + 15) / 16);
    runs.grid.y = runs.grid.z = 1;
    td_take_tiles<td_run_at>(runs, strategy, [&](const td_tile &run, bool) {
        const uint64_t mine = (uint64_t)run.x * 16 + lane % 16;
        td_tile tile = {};
        if (mine < blocks) {
            tile = td_map_with_3d(strategy & 0xffff, launch, td_block_at(launch, mine, blocks));
        }
        tile.z = tile.active ? tile.z : (uint32_t)TD_BEHIND;
        for (uint32_t first = 0; first < 16; first += 4) {
            const uint32_t from = first + lane / 8;
            const uint32_t x = 8 * __shfl_sync(~0u, tile.x, from) + lane % 8;
            const uint32_t y = 8 * __shfl_sync(~0u, tile.y, from) + warp % 8;
            const uint32_t z = 8 * __shfl_sync(~0u, tile.z, from) + warp / 8;
            td_update_cells<Cell>(data, x, y, z);
        }
    });
}

template <auto *Cell>
__device__ inline void td_run_dynamic_3d(const td_launch &launch, const td_data &data,
                                         uint32_t strategy)
{
    if constexpr (td_update<Cell>::exists) {
        if (launch.tile == 8 && launch.width == 8 && blockDim.x == 8 && blockDim.y == 8 &&
            blockDim.z == 8) {
            td_take_updates<Cell>(launch, data, strategy);
            return;
        }
    }
    td_take_tiles<td_tile_at<td_map_with_3d>>(launch, strategy, [&](const td_tile &tile, bool) {
        td_loop_tile3<Cell>(launch, data, tile);
    });
}

#endif
