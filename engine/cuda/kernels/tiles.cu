/* tiles.cu - the workloads' own kernels for whole tiles, a block for each tile. */
#include "whole_tiles.cuh"

template <td_tile_fn *Tile>
__device__ inline void td_run_tile(const td_launch &launch, const td_data &data, uint32_t strategy)
{
    const td_tile tile = td_map_with(strategy, launch, td_block_index<true>(launch));
    if (tile.active) { /* the same for all threads of a block: a tile may synchronise them */
        Tile(data, {tile.x, tile.y, launch.tile});
    }
}

template <td_tile_fn *Tile>
__global__ void td_tile_kernel(const td_launch launch, const td_data data, const uint32_t strategy)
{
    td_run_tile<Tile>(launch, data, strategy);
}

template <td_tile_fn *Tile, int Registers>
__global__ void __maxnreg__(Registers)
    td_bounded_tile_kernel(const td_launch launch, const td_data data, const uint32_t strategy)
{
    td_run_tile<Tile>(launch, data, strategy);
}

template <td_tile_fn *Tile>
constexpr td_whole_tiles_fn *td_tile_kernel_of()
{
    if constexpr (td_tile_registers<Tile> == 0) {
        return td_tile_kernel<Tile>;
    } else {
        return td_bounded_tile_kernel<Tile, td_tile_registers<Tile>>;
    }
}

#define TILES(w, ...)                                                                              \
    extern "C" const void *const td_tiles_##w;                                                     \
    const void *const td_tiles_##w = (const void *)td_tile_kernel_of<td_##w##_tile>();

TD_WHOLE_TILE_KERNELS_2D(TILES, )
