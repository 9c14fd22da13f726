/*
 * pairs_2d.cu - every strategy with one workload. Compiled once a workload, -DTD_WORKLOAD=its identifier, so that a build
 * uses all cores and a change to one workload rebuilds one file.
 */
#include "../../workloads/workloads.h"
#include "kernels.cuh"
#include "tally.cuh"

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)
#define CELL JOIN(td_, TD_WORKLOAD, _cell)
#define CHECK JOIN(td_, TD_WORKLOAD, _check)
#define KERNELS JOIN(td_kernels_, TD_WORKLOAD, )

#define BLOCK_MAP(s, ...) (const void *)td_block_kernel<td_##s##_map, CELL>,
#define BLOCK_LOOP(s, ...) (const void *)td_loop_kernel<td_##s##_map, CELL>,
#define THREAD_MAP(s, ...) (const void *)td_thread_kernel<td_##s##_map, CELL>,
#define NONE(s, ...) NULL,

extern "C" const td_kernels KERNELS;
const td_kernels KERNELS = {
    {TD_BLOCK_MAPS(BLOCK_MAP, ) TD_THREAD_MAPS(THREAD_MAP, ) TD_TREES(BLOCK_MAP, )},
    {TD_BLOCK_MAPS(BLOCK_LOOP, ) TD_THREAD_MAPS(NONE, ) TD_TREES(BLOCK_LOOP, )},
    (const void *)td_check_kernel<CHECK>,
    {}, /* 3D only */
};
