/*
 * walk.cuh - the walk of blocks over tiles, in 2D and in 3D: one block per tile, blocks that loop over tiles, or blocks
 * that take the next tile from a counter. A block works on a tile's cells one by one, or calls the workload's own
 * function for it.
 *
 * Most tiles of such a function take thousands of instructions, so that their kernel can afford to choose the map at
 * run time: one kernel per workload instead of ten, which would take half of the build time.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_WALK_CUH
#define TD_ENGINE_CUDA_KERNELS_WALK_CUH

#include "maps.cuh"
#include "tickets.cuh"
#include "tile_loop.cuh"
#include "tile_loop_3d.cuh"

/* A workload's own function for a tile. A block that runs several tiles synchronises its threads between them: the
 * tiles use the same shared memory. */
typedef void td_tile_fn(const td_data &data, td_work_tile tile);
typedef void td_tile3_fn(const td_data &data, td_work_tile3 tile);
typedef double td_sum_tile3_fn(const td_data &data, td_work_tile3 tile);
typedef void td_rows_fn(const td_data &data, td_work_rows rows);

/* The dimension of a function of a cell or of a tile; 1: of whole rows, see td_map_dimension. */
constexpr int td_dimension(td_cell_fn *)
{
    return 2;
}
constexpr int td_dimension(td_tile_fn *)
{
    return 2;
}
constexpr int td_dimension(td_rows_fn *)
{
    return 1;
}
template <typename Function>
constexpr int td_dimension(Function *)
{
    return 3;
}

/* ---- the work on a tile ---- */

/* Its cells, distributed over the block. Unroll, in 2D: cells that a thread computes at a time. */
template <auto *Cell, int Unroll = 4>
struct td_cells_of_tile {
    static constexpr int dimension = td_dimension(Cell);
    static constexpr bool banded = false;

    __device__ static void run(const td_launch &launch, const td_data &data, const td_tile &tile,
                               bool)
    {
        if constexpr (dimension == 2) {
            td_loop_tile<Cell, Unroll>(launch, data, tile);
        } else {
            td_loop_tile3<Cell>(launch, data, tile);
        }
    }
};

/* Likewise the cells of whole rows, tile after tile. */
template <td_cell_fn *Cell, int Unroll>
struct td_cells_of_rows {
    static constexpr int dimension = 1;
    static constexpr bool banded = false;

    __device__ static void run(const td_launch &launch, const td_data &data, const td_tile &rows,
                               bool)
    {
        for (uint32_t k = 0; k < td_tile_count(2, &launch, rows); k++) {
            td_loop_tile<Cell, Unroll>(launch, data, td_nth_tile(2, &launch, rows, k));
        }
    }
};

__device__ inline td_work_tile3 td_work_of(const td_launch &launch, const td_tile &tile)
{
    return {tile.x, tile.y, tile.z, launch.tile, launch.width};
}

/* A workload's own function. Banded, in 2D: a block takes a tile or the band tile.z of its rows, which is a flat
 * tile. */
template <auto *Tile, bool Banded = false>
struct td_whole_tile {
    static constexpr int dimension = td_dimension(Tile);
    static constexpr bool banded = Banded;

    __device__ static void run(const td_launch &launch, const td_data &data, const td_tile &tile,
                               bool again)
    {
        if constexpr (Banded) {
            Tile(data, {tile.x, tile.y * launch.bands + tile.z, launch.rows, again, launch.tile});
        } else if constexpr (dimension == 2) {
            Tile(data, {tile.x, tile.y, launch.tile, again});
        } else if constexpr (dimension == 1) {
            Tile(data, {tile.x, tile.y, launch.tile});
            if (tile.z != tile.y) {
                __syncthreads(); /* the first row's shared memory is free again */
                Tile(data, {tile.x, tile.z, launch.tile});
            }
        } else if constexpr (td_is_same<decltype(Tile), td_sum_tile3_fn *>) {
            td_store_sum(data, tile, Tile(data, td_work_of(launch, tile)));
            td_clear_places(launch, data, tile);
        } else {
            Tile(data, td_work_of(launch, tile));
        }
    }
};

/* ---- one block per tile or, if banded, per band of a tile ---- */

template <auto *Tile, bool Banded = false>
__device__ inline void td_run_grid(const td_launch &launch, const td_data &data, uint32_t strategy)
{
    typedef td_whole_tile<Tile, Banded> work;
    constexpr int dimension = work::dimension;
    td_dim3 block = td_block_index<dimension != 3>(launch);
    uint32_t band = 0;
    if (Banded && launch.bands > 1) { /* the first dimension of the grid */
        block = {launch.first.x + blockIdx.y, launch.first.y + blockIdx.z, 0};
        band = blockIdx.x;
    }
    td_tile tile = td_any_map<dimension>::tile(strategy, launch, block);
    if (tile.active) { /* the same for all threads of a block, so a tile may synchronise them */
        tile.z = Banded ? band : tile.z;
        work::run(launch, data, tile, false);
    }
}

/* One block per flat tile of the whole square. */
template <td_tile_fn *Tile>
__device__ inline void td_run_flat(const td_launch &launch, const td_data &data, uint32_t)
{
    const td_tile tile = td_whole_square_map(&launch, td_block_index<true>(launch));
    Tile(data, {tile.x, tile.y, launch.tile, false, launch.width});
}

/* ---- each block loops over logical blocks blockIdx.x, blockIdx.x + gridDim.x, ... of launch.grid ---- */

template <typename Map, typename Work, typename Then>
__device__ inline void td_loop_blocks(const td_launch &launch, const td_data &data,
                                      uint32_t strategy, Then then)
{
    const uint64_t tiles = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    const uint64_t blocks = Work::banded ? tiles * launch.bands : tiles;
    for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
        uint64_t number = b;
        const uint32_t band = td_take_band<Work::banded>(launch, number);
        td_tile tile = Map::tile(strategy, launch, td_block_at(launch, number, tiles));
        if (tile.active) {
            tile.z = Work::banded ? band : tile.z;
            Work::run(launch, data, tile, b != blockIdx.x);
            then();
        }
    }
}

/* Tiles larger than the block, or fewer blocks than tiles. */
template <td_block_map_fn *Map, auto *Cell, int Unroll = 4>
__device__ inline void td_run_loop(const td_launch &launch, const td_data &data, uint32_t)
{
    if constexpr (td_is_by_rows<Map>) {
        td_loop_blocks<td_one_map<1, Map>, td_cells_of_rows<Cell, Unroll>>(launch, data, 0, [] {});
    } else {
        typedef td_cells_of_tile<Cell, Unroll> work;
        td_loop_blocks<td_one_map<work::dimension, Map>, work>(launch, data, 0, [] {});
    }
}

/* A list of a block's tiles, for a workload that takes many of them at once. */
template <int Dimension>
struct td_block_tiles {
    const td_launch &launch;
    const uint32_t strategy;
    const uint64_t blocks;
    uint64_t b;

    __device__ td_block_tiles(const td_launch &of, uint32_t map)
        : launch(of), strategy(map), blocks((uint64_t)of.grid.x * of.grid.y * of.grid.z),
          b(blockIdx.x)
    {
    }

    /*
     * Put at most `most` of the next tiles into `work` and return how many. Each lane maps one block: mapped one after
     * the other, they would take as long as the reads that follow. All warps do the same, and the first one writes.
     */
    __device__ uint32_t next(td_work_tile3 *work, uint32_t most)
    {
        const uint32_t thread = td_thread_of_block(), lane = thread % 32;
        uint32_t count = 0;
        while (count < most && b < blocks) {
            const uint64_t mine = b + (uint64_t)lane * gridDim.x;
            const td_tile tile =
                mine < blocks ? td_any_map<Dimension>::tile(strategy, launch,
                                                            td_block_at(launch, mine, blocks))
                              : td_tile{};
            const uint32_t active = __ballot_sync(~0u, tile.active);
            const uint32_t place = count + __popc(active & ((1u << lane) - 1));
            const uint32_t left = __ballot_sync(~0u, tile.active && place >= most);
            if (tile.active && place < most && thread < 32) {
                work[place] = td_work_of(launch, tile);
            }
            b += (uint64_t)gridDim.x * (left != 0 ? __ffs((int)left) - 1 : 32);
            count = min(most, count + __popc(active));
        }
        return count;
    }
};

/* Whole tiles. These kernels are separate because the loop's registers would cost the kernels with one block per tile
 * the last one that they have. */
template <auto *Tile, bool Banded = false>
__device__ inline void td_run_persistent(const td_launch &launch, const td_data &data,
                                         uint32_t strategy)
{
    typedef td_whole_tile<Tile, Banded> work;
    if constexpr (td_tiles_at_once<Tile>::exists) {
        if (td_tiles_at_once<Tile>::fits(data, launch.tile, launch.width)) {
            td_block_tiles<work::dimension> tiles(launch, strategy);
            td_tiles_at_once<Tile>::run(data, launch.tile, tiles);
            return;
        }
    }
    td_loop_blocks<td_any_map<work::dimension>, work>(launch, data, strategy, [] {
        __syncthreads(); /* the tile's shared memory is free again */
    });
}

/* ---- blocks take the next tile from a counter; the map is chosen at run time ---- */

/* Long: see td_take_long_tiles. */
template <int Dimension, bool Banded, bool Long, typename Work>
__device__ inline void td_take_work(const td_launch &launch, uint32_t strategy, Work work)
{
    const uint32_t blocks = launch.grid.x * launch.grid.y * launch.grid.z;
    const auto tile_at = [&](uint64_t b) {
        return td_any_map<Dimension>::tile(strategy & 0xffff, launch,
                                           td_block_at(launch, b, blocks));
    };
    if constexpr (Long) {
        td_take_long_tiles<Banded, Dimension == 2>(launch, strategy, tile_at, work);
    } else {
        td_take_tiles(blocks, strategy, tile_at, work);
    }
}

template <auto *Tile, bool Banded = false>
__device__ inline void td_run_dynamic_tiles(const td_launch &launch, const td_data &data,
                                            uint32_t strategy)
{
    typedef td_whole_tile<Tile, Banded> whole;
    constexpr int dimension = whole::dimension;
    bool is_ahead = false;
    if constexpr (td_tiles_ahead<Tile>::exists) {
        is_ahead = td_tiles_ahead<Tile>::fits(data, launch.tile, launch.width);
        if (is_ahead) {
            td_block_tiles<dimension> tiles(launch, strategy & 0xffff);
            td_tiles_ahead<Tile>::ahead(data, launch.tile, tiles);
        }
    }
    td_take_work<dimension, Banded, dimension != 3>(
        launch, strategy, [&](const td_tile &tile, bool again) {
            if constexpr (td_tiles_ahead<Tile>::exists) {
                if (is_ahead) {
                    td_tiles_ahead<Tile>::rest(data, td_work_of(launch, tile));
                    return;
                }
            }
            whole::run(launch, data, tile, again);
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
    const auto sixteen_at = [](uint64_t b) {
        td_tile run = {};
        run.x = (uint32_t)b;
        run.active = true;
        return run;
    };
    td_take_tiles((uint32_t)((blocks + 15) / 16), strategy, sixteen_at,
                  [&](const td_tile &run, bool) {
                      const uint64_t mine = (uint64_t)run.x * 16 + lane % 16;
                      td_tile tile = {};
                      if (mine < blocks) {
                          tile = td_any_map<3>::tile(strategy & 0xffff, launch,
                                                     td_block_at(launch, mine, blocks));
                      }
                      tile.z = tile.active ? tile.z : (uint32_t)TD_OUTSIDE;
                      for (uint32_t first = 0; first < 16; first += 4) {
                          const uint32_t from = first + lane / 8;
                          const uint32_t x = 8 * __shfl_sync(~0u, tile.x, from) + lane % 8;
                          const uint32_t y = 8 * __shfl_sync(~0u, tile.y, from) + warp % 8;
                          const uint32_t z = 8 * __shfl_sync(~0u, tile.z, from) + warp / 8;
                          td_update_cells<Cell>(data, x, y, z);
                      }
                  });
}

template <auto *Cell, int Unroll = 4>
__device__ inline void td_run_dynamic(const td_launch &launch, const td_data &data,
                                      uint32_t strategy)
{
    typedef td_cells_of_tile<Cell, Unroll> cells;
    if constexpr (td_update<Cell>::exists) {
        if (launch.tile == 8 && launch.width == 8 && blockDim.x == 8 && blockDim.y == 8 &&
            blockDim.z == 8) {
            td_take_updates<Cell>(launch, data, strategy);
            return;
        }
    }
    td_take_work<cells::dimension, false, false>(
        launch, strategy,
        [&](const td_tile &tile, bool again) { cells::run(launch, data, tile, again); });
}

template <td_cell_fn *Cell>
__device__ inline void td_run_dynamic_rows(const td_launch &launch, const td_data &data,
                                           uint32_t strategy)
{
    td_take_work<1, false, false>(launch, strategy, [&](const td_tile &rows, bool again) {
        td_cells_of_rows<Cell, 4>::run(launch, data, rows, again);
    });
}

#endif
