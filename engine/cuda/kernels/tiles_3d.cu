/* tiles_3d.cu - the 3D workloads' own kernels for whole tiles, one per workload under every map; see tiles.cu. */
#include "engine/cuda/kernel_table.h"
#include "kernels_3d.cuh"
#include "workloads/tiles.cuh"
#include "workloads/workloads.h"

/* The same for all threads of a grid. Trees have no such kernel. */
__device__ inline td_tile td_map_with_3d(uint32_t strategy, const td_launch &launch, td_dim3 block)
{
    td_tile none = {};
    switch (strategy) {
#define CASE(s, A)                                                                                 \
    case TD_STRATEGY_##s:                                                                          \
        return td_##s##_map(&launch, block);
        TD_BLOCK_MAPS_3D(CASE, )
#undef CASE
    default:
        return none;
    }
}

template <auto *Tile>
__device__ inline void td_run_tile_3d(const td_launch &launch, const td_data &data,
                                      const td_tile &tile)
{
    const td_work_tile3 work = {tile.x, tile.y, tile.z, launch.tile, launch.width};
    if constexpr (std::is_same<decltype(Tile(data, work)), double>::value) {
        td_store_sum(data, tile, Tile(data, work));
        td_clear_places(launch, data, tile);
    } else {
        Tile(data, work);
    }
}

/* With so many registers that the blocks that are to be resident are. */
template <auto *Tile, int Registers>
__global__ void __maxnreg__(Registers)
    td_whole_tile_kernel_3d(const td_launch launch, const td_data data, const uint32_t strategy)
{
    const td_tile tile = td_map_with_3d(strategy, launch, td_block_index_3d());
    if (tile.active) { /* the same for all threads of a block: a tile may synchronise them */
        td_run_tile_3d<Tile>(launch, data, tile);
    }
}

/* Each block loops over tiles. */
template <auto *Tile, int Registers>
__global__ void __maxnreg__(Registers)
    td_whole_tiles_kernel_3d(const td_launch launch, const td_data data, const uint32_t strategy)
{
    const uint64_t blocks = (uint64_t)launch.grid.x * launch.grid.y * launch.grid.z;
    for (uint64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
        const td_tile tile = td_map_with_3d(strategy, launch, td_block_at(launch, b, blocks));
        if (tile.active) {
            td_run_tile_3d<Tile>(launch, data, tile);
            __syncthreads(); /* what the tile has in shared memory is free again */
        }
    }
}

#define TILES_3D(w, registers, A)                                                                  \
    extern "C" const void *const td_tiles_##w;                                                     \
    extern "C" const void *const td_persistent_tiles_##w;                                          \
    const void *const td_tiles_##w =                                                               \
        (const void *)td_whole_tile_kernel_3d<td_##w##_tile, registers>;                           \
    const void *const td_persistent_tiles_##w =                                                    \
        (const void *)td_whole_tiles_kernel_3d<td_##w##_tile, registers>;

TD_ALSO_TILED_3D(TILES_3D, )
