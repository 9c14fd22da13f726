/* dynamic_3d.cuh - --schedule dynamic for tetrahedra; see dynamic.cuh. */
#ifndef TD_ENGINE_CUDA_KERNELS_DYNAMIC_3D_CUH
#define TD_ENGINE_CUDA_KERNELS_DYNAMIC_3D_CUH

#include "dynamic.cuh"
#include "tile_runs_3d.cuh"

template <auto *Tile>
__device__ inline void td_run_dynamic_tiles_3d(const td_launch &launch, const td_data &data,
                                               uint32_t strategy)
{
    td_take_tiles<td_map_with_3d>(launch, strategy, [&](const td_tile &tile, bool) {
        td_run_tile_3d<Tile>(launch, data, tile);
    });
}

template <auto *Cell>
__device__ inline void td_run_dynamic_3d(const td_launch &launch, const td_data &data,
                                         uint32_t strategy)
{
    td_take_tiles<td_map_with_3d>(launch, strategy, [&](const td_tile &tile, bool) {
        td_loop_tile3<Cell>(launch, data, tile);
    });
}

#endif
