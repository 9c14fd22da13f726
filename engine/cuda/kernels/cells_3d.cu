/* cells_3d.cu - every 3D strategy with every 3D workload. */
#include "engine/cuda/kernel_table.h"
#include "kernels_3d.cuh"
#include "workloads/workloads.h"

#define NONE(s, w) NULL,
#define BLOCK_MAP(s, w) (const void *)td_tile_kernel_3d<td_##s##_map, td_##w##_cell, 0, false>(),
#define EIGHT_PACKED(s, w) (const void *)td_tile_kernel_3d<td_##s##_map, td_##w##_cell, 8, false>(),
#define EIGHT_FULL(s, w) (const void *)td_tile_kernel_3d<td_##s##_map, td_##w##_cell, 8, true>(),
#define BLOCK_LOOP(s, w) (const void *)td_loop_kernel_3d<td_##s##_map, td_##w##_cell>,

/* A row of a table; trees have their kernels in trees.cu. */
#define BY_KIND(MAP, w) TD_STRATEGIES_2D(NONE, w) TD_BLOCK_MAPS_3D(MAP, w) TD_TREES_3D(NONE, w)
#define KERNELS_3D(w, A)                                                                           \
    extern "C" const td_kernels td_kernels_##w;                                                    \
    const td_kernels td_kernels_##w = {                                                            \
        {NULL},                                                                                    \
        {BY_KIND(BLOCK_MAP, w)},                                                                   \
        {BY_KIND(BLOCK_LOOP, w)},                                                                  \
        {{BY_KIND(EIGHT_PACKED, w)}, {BY_KIND(EIGHT_FULL, w)}},                                    \
    };

TD_WORKLOADS_3D(KERNELS_3D, )
TD_SUMS_3D(KERNELS_3D, )
