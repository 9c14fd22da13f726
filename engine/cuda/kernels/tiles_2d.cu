/*
 * tiles_2d.cu - every map of blocks with one workload's kernel for whole tiles. Compiled once a workload,
 * as pairs_2d.cu is.
 */
#include "workloads/collision_tile.cuh"
#include "workloads/life/life_tiles.cuh"
#include "workloads/workloads.h"
#include "kernels.cuh"
#include "engine/cuda/kernel_table.h"

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define TILE JOIN(td_, TD_WORKLOAD, _tile)
#define TILES JOIN(td_tiles_, TD_WORKLOAD, )

typedef void td_tile_fn(const td_data &data, td_work_tile tile);

template <td_block_map_fn *Map, td_tile_fn *Tile>
__global__ void td_tile_kernel(const td_launch launch, const td_data data)
{
    const td_tile tile = Map(&launch, td_block_index<true>(launch));
    if (tile.active) { /* the same for all threads of a block: a tile may synchronise them */
        Tile(data, {tile.x, tile.y, launch.tile});
    }
}

#define BLOCK_MAP(s, ...) (const void *)td_tile_kernel<td_##s##_map, TILE>,
#define NONE(s, ...) NULL,

extern "C" const td_tiles TILES;
const td_tiles TILES = {
    {TD_BLOCK_MAPS(BLOCK_MAP, ) TD_THREAD_MAPS(NONE, ) TD_TREES(NONE, )},
    (const void *)td_tile_kernel<td_whole_square_map, TILE>,
};
