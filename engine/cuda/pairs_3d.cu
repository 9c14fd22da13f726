/* pairs_3d.cu - every 3D strategy with one workload; see pairs_2d.cu. */
#include "../../workloads/workloads.h"
#include "kernels_3d.cuh"
#include "tally.cuh"

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define CELL JOIN(td_, TD_WORKLOAD, _cell)
#define CHECK JOIN(td_, TD_WORKLOAD, _check)
#define KERNELS JOIN(td_kernels_, TD_WORKLOAD, )

#define NONE(s, ...) NULL,
#define BLOCK_MAP(s, ...) (const void *)td_block_kernel_3d<td_##s##_map, CELL, 0, false>,
#define EIGHT_PACKED(s, ...) (const void *)td_block_kernel_3d<td_##s##_map, CELL, 8, false>,
#define EIGHT_FULL(s, ...) (const void *)td_block_kernel_3d<td_##s##_map, CELL, 8, true>,
#define BLOCK_LOOP(s, ...) (const void *)td_loop_kernel_3d<td_##s##_map, CELL>,

/* A sum has no check of cells, and its name no function. */
#ifdef TD_SUM
#define CHECK_KERNEL NULL
#else
#define CHECK_KERNEL (const void *)td_check_kernel_3d<CHECK>
#endif

extern "C" const td_kernels KERNELS;
const td_kernels KERNELS = {
    {NULL},
    {TD_STRATEGIES_2D(NONE, ) TD_STRATEGIES_3D(BLOCK_MAP, )},
    {TD_STRATEGIES_2D(NONE, ) TD_STRATEGIES_3D(BLOCK_LOOP, )},
    CHECK_KERNEL,
    {{TD_STRATEGIES_2D(NONE, ) TD_STRATEGIES_3D(EIGHT_PACKED, )},
     {TD_STRATEGIES_2D(NONE, ) TD_STRATEGIES_3D(EIGHT_FULL, )}},
};
