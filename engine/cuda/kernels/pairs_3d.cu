/* pairs_3d.cu - every 3D strategy with one workload; see pairs_2d.cu. */
#include "workloads/workloads.h"
#include "kernels_3d.cuh"
#include "check_counts.cuh"

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define CELL JOIN(td_, TD_WORKLOAD, _cell)
#define CHECK JOIN(td_, TD_WORKLOAD, _check)
#define KERNELS JOIN(td_kernels_, TD_WORKLOAD, )

#define NONE(s, ...) NULL,
#define BLOCK_MAP(s, ...) (const void *)td_tile_kernel_3d<td_##s##_map, CELL, 0, false>(),
#define EIGHT_PACKED(s, ...) (const void *)td_tile_kernel_3d<td_##s##_map, CELL, 8, false>(),
#define EIGHT_FULL(s, ...) (const void *)td_tile_kernel_3d<td_##s##_map, CELL, 8, true>(),
#define BLOCK_LOOP(s, ...) (const void *)td_loop_kernel_3d<td_##s##_map, CELL>,

/* A row of a table; trees have their kernels in tree_3d.cu. */
#define BY_KIND(MAP) TD_STRATEGIES_2D(NONE, ) TD_BLOCK_MAPS_3D(MAP, ) TD_TREES_3D(NONE, )

/* A sum has no check of cells, and its name no function. */
#ifdef TD_SUM
#define CHECK_KERNEL NULL
#else
#define CHECK_KERNEL (const void *)td_check_kernel_3d<CHECK>
#endif

extern "C" const td_kernels KERNELS;
const td_kernels KERNELS = {
    {NULL},
    {BY_KIND(BLOCK_MAP)},
    {BY_KIND(BLOCK_LOOP)},
    CHECK_KERNEL,
    {{BY_KIND(EIGHT_PACKED)}, {BY_KIND(EIGHT_FULL)}},
};
