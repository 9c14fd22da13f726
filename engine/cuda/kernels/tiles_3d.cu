/* tiles_3d.cu - the 3D workloads' own kernels for whole tiles, one per workload under every map; see tiles.cu. */
#include "bounded.cuh"
#include "engine/cuda/kernel_table.h"
#include "dynamic_3d.cuh"
#include "pick.cuh"
#include "workloads/tiles.cuh"

td_tile_kernels td_tile_kernels_3d(uint32_t workload, uint32_t row)
{
    return td_pick_3d<td_tile_kernels>(
        workload, row, [&]<uint32_t Id, uint32_t Row>() -> td_tile_kernels {
            if constexpr (td_has_tile<Id, Row>) {
                constexpr auto *tile = td_tile_of<Id, Row>;
                constexpr int registers = td_registers_of<Id, Row>;
                return {(const void *)td_kernel_of<td_run_block_3d<tile>, registers>(),
                        (const void *)td_kernel_of<td_run_blocks_3d<tile>, registers>(),
                        (const void *)td_kernel_of<td_run_dynamic_tiles_3d<tile>, registers>()};
            } else {
                return {};
            }
        });
}
