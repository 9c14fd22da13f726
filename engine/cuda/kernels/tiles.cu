/* tiles.cu - every map of blocks with the workloads' own kernels for whole tiles. */
#include "engine/cuda/kernel_table.h"
#include "kernels.cuh"
#include "workloads/tiles.cuh"
#include "workloads/workloads.h"

typedef void td_tile_fn(const td_data &data, td_work_tile tile);

template <td_block_map_fn *Map, td_tile_fn *Tile>
__global__ void td_tile_kernel(const td_launch launch, const td_data data)
{
    const td_tile tile = Map(&launch, td_block_index<true>(launch));
    if (tile.active) { /* the same for all threads of a block: a tile may synchronise them */
        Tile(data, {tile.x, tile.y, launch.tile});
    }
}

#define BLOCK_MAP(s, w) (const void *)td_tile_kernel<td_##s##_map, td_##w##_tile>,
#define NONE(s, w) NULL,
#define TILES(w, ...)                                                                              \
    extern "C" const td_tiles td_tiles_##w;                                                        \
    const td_tiles td_tiles_##w = {                                                                \
        {TD_BLOCK_MAPS(BLOCK_MAP, w) TD_THREAD_MAPS(NONE, w) TD_TREES(NONE, w)},                   \
        (const void *)td_tile_kernel<td_whole_square_map, td_##w##_tile>,                          \
    };

TD_TILED_2D(TILES, )
TD_ALSO_TILED_2D(TILES, )
