/*
 * pairs_2d.cu - every strategy with one workload. Compiled once a workload, -DTD_WORKLOAD=its identifier, so that a
 * build uses all cores and a change to one workload rebuilds one file.
 */
#include "workloads/workloads.h"
#include "kernels.cuh"
#include "check_counts.cuh"

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define CELL JOIN(td_, TD_WORKLOAD, _cell)
#define CHECK JOIN(td_, TD_WORKLOAD, _check)
#define KERNELS JOIN(td_kernels_, TD_WORKLOAD, )

/* Trees have kernels of their own: tree_2d.cu. */
#define NONE(s, ...) NULL,
#define BLOCK_PACKED(s, ...) (const void *)td_block_kernel<td_##s##_map, CELL, true>,
#define BLOCK_CELL(s, ...) (const void *)td_block_kernel<td_##s##_map, CELL, false>,
#define BLOCK_LOOP(s, ...) (const void *)td_loop_kernel<td_##s##_map, CELL>,
#define THREAD_PACKED(s, ...) (const void *)td_thread_kernel<td_##s##_map, CELL, true, false>,
#define THREAD_CELL(s, ...) (const void *)td_thread_kernel<td_##s##_map, CELL, false, false>,
#define THREAD_CUT(s, ...) (const void *)td_thread_kernel<td_##s##_map, CELL, false, true>,

extern "C" const td_kernels KERNELS;
const td_kernels KERNELS = {
    {TD_BLOCK_MAPS(BLOCK_PACKED, ) TD_THREAD_MAPS(THREAD_PACKED, ) TD_TREES(NONE, )},
    {TD_BLOCK_MAPS(BLOCK_CELL, ) TD_THREAD_MAPS(THREAD_CELL, ) TD_TREES(NONE, )},
    {TD_BLOCK_MAPS(BLOCK_LOOP, ) TD_THREAD_MAPS(THREAD_CUT, ) TD_TREES(NONE, )},
    (const void *)td_check_kernel<CHECK>,
    {}, /* 3D only */
};
