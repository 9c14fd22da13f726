/* tile_runs_3d.cuh - the functions that 3D whole-tile kernels run; see tile_runs.cuh. */
#ifndef TD_ENGINE_CUDA_KERNELS_TILE_RUNS_3D_CUH
#define TD_ENGINE_CUDA_KERNELS_TILE_RUNS_3D_CUH

#include "kernels_3d.cuh"

#define TD_ROW(s, A) td_##s##_map,
inline constexpr td_block_map_fn *td_maps_3d[] = {TD_BLOCK_MAPS_3D(TD_ROW, )};
#undef TD_ROW
#define TD_ID(s, A) TD_STRATEGY_##s,
inline constexpr uint32_t td_ids_3d[] = {TD_BLOCK_MAPS_3D(TD_ID, )};
#undef TD_ID

/* Apply the map of a strategy, which is the same for all threads of a grid. Trees have no whole-tile kernel. */
__device__ inline td_tile td_map_with_3d(uint32_t strategy, const td_launch &launch, td_dim3 block)
{
    constexpr uint32_t first = td_ids_3d[0], count = sizeof td_maps_3d / sizeof td_maps_3d[0];
    return td_map_numbered<td_maps_3d, 0, count>(strategy - first, launch, block);
}

__device__ inline td_work_tile3 td_work_of(const td_launch &launch, const td_tile &tile)
{
    return {tile.x, tile.y, tile.z, launch.tile, launch.width};
}

template <auto *Tile>
__device__ inline void td_run_tile_3d(const td_launch &launch, const td_data &data,
                                      const td_tile &tile)
{
    const td_work_tile3 work = td_work_of(launch, tile);
    if constexpr (td_is_same<decltype(Tile(data, work)), double>) {
        td_store_sum(data, tile, Tile(data, work));
        td_clear_places(launch, data, tile);
    } else {
        Tile(data, work);
    }
}

template <auto *Tile>
__device__ inline void td_run_block_3d(const td_launch &launch, const td_data &data,
                                       uint32_t strategy)
{
    const td_tile tile = td_map_with_3d(strategy, launch, td_block_index_3d());
    if (tile.active) { /* the same for all threads of a block, so a tile may synchronise them */
        td_run_tile_3d<Tile>(launch, data, tile);
    }
}

/* The tiles of a block that loops over them: logical blocks blockIdx.x, blockIdx.x + gridDim.x, ... of launch.grid. */
struct td_block_tiles_3d {
    const td_launch &launch;
    const uint32_t strategy;
    const uint64_t blocks;
    uint64_t b;

    __device__ td_block_tiles_3d(const td_launch &of, uint32_t map)
        : launch(of), strategy(map), blocks((uint64_t)of.grid.x * of.grid.y * of.grid.z),
          b(blockIdx.x)
    {
    }

    __device__ td_tile map(uint64_t block) const
    {
        return td_map_with_3d(strategy, launch, td_block_at(launch, block, blocks));
    }

    /* The next tile; not active beyond the last. */
    __device__ td_tile next()
    {
        td_tile tile = {};
        for (; !tile.active && b < blocks; b += gridDim.x) {
            tile = map(b);
        }
        return tile;
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
            const td_tile tile = mine < blocks ? map(mine) : td_tile{};
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

template <auto *Tile>
__device__ inline void td_run_blocks_3d(const td_launch &launch, const td_data &data,
                                        uint32_t strategy)
{
    td_block_tiles_3d tiles(launch, strategy);
    if constexpr (td_tiles_at_once<Tile>::exists) {
        if (td_tiles_at_once<Tile>::fits(data, launch.tile, launch.width)) {
            td_tiles_at_once<Tile>::run(data, launch.tile, tiles);
            return;
        }
    }
    for (td_tile tile = tiles.next(); tile.active; tile = tiles.next()) {
        td_run_tile_3d<Tile>(launch, data, tile);
        __syncthreads(); /* the tile's shared memory is free again */
    }
}

#endif
