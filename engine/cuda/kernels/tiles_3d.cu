/* tiles_3d.cu - the 3D workloads' own kernels for whole tiles, one per workload under every map; see tiles.cu. */
#include <type_traits>

#include "bounded.cuh"
#include "engine/cuda/kernel_table.h"
#include "tile_runs_3d.cuh"
#include "workloads/tiles.cuh"
#include "workloads/workloads.h"

template <uint32_t Workload, int Registers>
td_tile_kernels td_tile_kernels_in_3d()
{
    if constexpr (std::is_null_pointer_v<std::remove_const_t<decltype(td_tile_of<Workload>)>>) {
        return {NULL, NULL};
    } else {
        constexpr auto *tile = td_tile_of<Workload>;
        return {(const void *)td_kernel_of<td_run_block_3d<tile>, Registers>(),
                (const void *)td_kernel_of<td_run_blocks_3d<tile>, Registers>()};
    }
}

td_tile_kernels td_tile_kernels_3d(uint32_t workload)
{
    switch (workload) {
#define KERNELS(w, A)                                                                              \
    case TD_WORKLOAD_##w:                                                                          \
        return td_tile_kernels_in_3d<TD_WORKLOAD_##w, td_registers_of(td_##w##_workload)>();
        TD_PLAIN_3D(KERNELS, )
        TD_SUMS_3D(KERNELS, )
    default:
        return {NULL, NULL};
    }
}
