/* tiles_3d.cu - the 3D workloads' own kernels for whole tiles, one per workload under every map; see tiles.cu. */
#include "bounded.cuh"
#include "engine/cuda/kernel_table.h"
#include "dynamic_3d.cuh"
#include "pick.cuh"
#include "workloads/tiles.cuh"

template <auto *Tile, int Registers>
td_tile_kernels td_tile_runs_3d()
{
    return {(const void *)td_kernel_of<td_run_block_3d<Tile>, Registers>(),
            (const void *)td_kernel_of<td_run_blocks_3d<Tile>, Registers>(),
            (const void *)td_kernel_of<td_run_dynamic_tiles_3d<Tile>, Registers>()};
}

td_tile_kernels td_tile_kernels_3d(uint32_t workload, bool staged)
{
    return td_pick<td_tile_kernels, TD_WORKLOAD_COUNT>(
        workload, [&]<uint32_t Id>() -> td_tile_kernels {
            if constexpr (!std::is_null_pointer_v<
                              std::remove_const_t<decltype(td_staged_tile_of<Id>)>>) {
                if (staged) {
                    return td_tile_runs_3d<td_staged_tile_of<Id>, td_staged_registers_of<Id>>();
                }
            }
            if constexpr (td_is_3d<Id> && td_has_tile<Id>) {
                return td_tile_runs_3d<td_tile_of<Id>, td_registers_of<Id>>();
            } else {
                return {};
            }
        });
}
