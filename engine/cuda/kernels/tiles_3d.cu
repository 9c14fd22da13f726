/* tiles_3d.cu - the 3D workloads' own kernels for whole tiles, one per workload under every map; see tiles.cu. */
#include "bounded.cuh"
#include "engine/cuda/kernel_table.h"
#include "dynamic_3d.cuh"
#include "pick.cuh"
#include "workloads/tiles.cuh"

td_tile_kernels td_tile_kernels_3d(uint32_t workload)
{
    return td_pick<td_tile_kernels, TD_WORKLOAD_COUNT>(
        workload, [&]<uint32_t Id>() -> td_tile_kernels {
            if constexpr (td_is_3d<Id> && td_has_tile<Id>) {
                constexpr auto *tile = td_tile_of<Id>;
                constexpr int registers = td_registers_of<Id>;
                return {(const void *)td_kernel_of<td_run_block_3d<tile>, registers>(),
                        (const void *)td_kernel_of<td_run_blocks_3d<tile>, registers>(),
                        (const void *)td_kernel_of<td_run_dynamic_tiles_3d<tile>, registers>()};
            } else {
                return {};
            }
        });
}
