/*
 * tile_runs.cuh - the functions that 2D whole-tile kernels run: a workload's own function under a map chosen at run
 * time.
 *
 * Most tiles take thousands of instructions, so that their kernel can afford to choose the map at run time: one kernel
 * per workload instead of ten, which would take half of the build time.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_TILE_RUNS_CUH
#define TD_ENGINE_CUDA_KERNELS_TILE_RUNS_CUH

#include "kernels.cuh"

/* A block that runs several tiles synchronises its threads between them: the tiles use the same shared memory. */
typedef void td_tile_fn(const td_data &data, td_work_tile tile);

/* By strategy: block maps are the first ones. TD_WHOLE_SQUARE is none of them, but behind them all. */
#define TD_ROW(s, A) td_##s##_map,
inline constexpr td_block_map_fn *td_maps[] = {TD_BLOCK_MAPS(TD_ROW, ) td_whole_square_map};
#undef TD_ROW

/* Apply the map of a strategy, which is the same for all threads of a grid. In a part of a domain, tile (0, 0) is
 * further down and to the right. */
__device__ inline td_tile td_map_with(uint32_t strategy, const td_launch &launch, td_dim3 block)
{
    constexpr uint32_t count = sizeof td_maps / sizeof td_maps[0];
    td_tile tile = td_map_numbered<td_maps, 0, count>(strategy, launch, block);
    tile.x += launch.origin_x;
    tile.y += launch.origin_y;
    return tile;
}

/* The work of a block: a tile or, if Banded, the band tile.z of its rows, which is a flat tile. */
template <bool Banded>
__device__ inline td_work_tile td_work_of(const td_launch &launch, const td_tile &tile, bool again)
{
    if constexpr (Banded) {
        return {tile.x, tile.y * launch.bands + tile.z, launch.rows, again, launch.tile};
    } else {
        return {tile.x, tile.y, launch.tile, again};
    }
}

/* One block per tile or, if Banded, per band of a tile. */
template <td_tile_fn *Tile, bool Banded = false>
struct td_grid_of {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t strategy)
    {
        td_dim3 block = td_block_index<true>(launch);
        uint32_t band = 0;
        if (Banded && launch.bands > 1) { /* the first dimension of the grid */
            block = {launch.first.x + blockIdx.y, launch.first.y + blockIdx.z, 0};
            band = blockIdx.x;
        }
        td_tile tile = td_map_with(strategy, launch, block);
        if (tile.active) { /* the same for all threads of a block, so a tile may synchronise them */
            tile.z = band;
            Tile(data, td_work_of<Banded>(launch, tile, false));
        }
    }
};

/* One block per flat tile of the whole square. */
template <td_tile_fn *Tile>
struct td_flat_of {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t)
    {
        const td_tile tile = td_whole_square_map(&launch, td_block_index<true>(launch));
        Tile(data, {tile.x, tile.y, launch.tile, false, launch.width});
    }
};

/* Where blocks loop, those of a tile are numbered one after the other. Leaves the number of the tile in `block`, and
 * returns that of the band; 0 where tiles have one block. */
template <bool Banded, typename Number>
__device__ inline uint32_t td_take_band(const td_launch &launch, Number &block)
{
    if constexpr (Banded) {
        const uint32_t band = (uint32_t)(block % launch.bands);
        block /= launch.bands;
        return band;
    } else {
        return 0;
    }
}

/* Each block loops over tiles. These kernels are separate because the loop's registers would cost the kernels with one
 * block per tile the last one that they have. */
template <td_tile_fn *Tile, bool Banded = false>
struct td_persistent {
    __device__ static void run(const td_launch &launch, const td_data &data, uint32_t strategy)
    {
        const uint64_t tiles = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
        const uint64_t blocks = Banded ? tiles * launch.bands : tiles;
        for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
            uint64_t number = b;
            const uint32_t band = td_take_band<Banded>(launch, number);
            td_tile tile = td_map_with(strategy, launch, td_block_at(launch, number, tiles));
            if (tile.active) {
                tile.z = band;
                Tile(data, td_work_of<Banded>(launch, tile, b != blockIdx.x));
                __syncthreads(); /* the tile's shared memory is free again */
            }
        }
    }
};

#endif
