/*
 * table_2d.cuh - the kernels of one 2D workload under every strategy. TD_KERNELS_2D(id, A) defines td_kernels_ID; a
 * family of workloads is one .cu file that expands its list with it, for every start of nvcc costs seconds.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_TABLE_2D_CUH
#define TD_ENGINE_CUDA_KERNELS_TABLE_2D_CUH

#include "engine/cuda/kernel_table.h"
#include "kernels.cuh"
#include "workloads/workloads.h"

#define TD_NONE(s, w) NULL,
#define TD_BLOCK_PACKED(s, w) (const void *)td_block_kernel<td_##s##_map, td_##w##_cell, true>,
#define TD_BLOCK_PART(s, w) (const void *)td_block_kernel<td_##s##_map, td_##w##_cell, true, true>,
#define TD_BLOCK_CELL(s, w) (const void *)td_block_kernel<td_##s##_map, td_##w##_cell, false>,
#define TD_BLOCK_LOOP(s, w) (const void *)td_loop_kernel<td_##s##_map, td_##w##_cell>,
#define TD_BLOCK_SHORT_LOOP(s, w) (const void *)td_loop_kernel<td_##s##_map, td_##w##_cell, 1>,
#define TD_THREAD_PACKED(s, w)                                                                     \
    (const void *)td_thread_kernel<td_##s##_map, td_##w##_cell, true, false>,
#define TD_THREAD_CELL(s, w)                                                                       \
    (const void *)td_thread_kernel<td_##s##_map, td_##w##_cell, false, false>,
#define TD_THREAD_CUT(s, w)                                                                        \
    (const void *)td_thread_kernel<td_##s##_map, td_##w##_cell, false, true>,

#define TD_PACKED(w)                                                                               \
    {                                                                                              \
        TD_BLOCK_MAPS(TD_BLOCK_PACKED, w) TD_THREAD_MAPS(TD_THREAD_PACKED, w) TD_TREES(TD_NONE, w) \
    }
#define TD_PART(w)                                                                                 \
    {                                                                                              \
        TD_BLOCK_MAPS(TD_BLOCK_PART, w) TD_THREAD_MAPS(TD_NONE, w) TD_TREES(TD_NONE, w)            \
    }
#define TD_RECTANGLE(w) (const void *)td_rectangle_kernel<td_##w##_cell>
#define TD_RECTANGLE_LOOP(w, unroll)                                                               \
    (const void *)td_loop_kernel<td_whole_square_map, td_##w##_cell, unroll>
#define TD_CELL(w)                                                                                 \
    {                                                                                              \
        TD_BLOCK_MAPS(TD_BLOCK_CELL, w) TD_THREAD_MAPS(TD_THREAD_CELL, w) TD_TREES(TD_NONE, w)     \
    }
#define TD_LOOP(w)                                                                                 \
    {                                                                                              \
        TD_BLOCK_MAPS(TD_BLOCK_LOOP, w) TD_THREAD_MAPS(TD_THREAD_CUT, w) TD_TREES(TD_NONE, w)      \
    }

/* For cells of a hundred instructions: unrolled they would take a fifth of the build. */
#define TD_SHORT_LOOP(w)                                                                           \
    {                                                                                              \
        TD_BLOCK_MAPS(TD_BLOCK_SHORT_LOOP, w)                                                      \
        TD_THREAD_MAPS(TD_THREAD_CUT, w) TD_TREES(TD_NONE, w)                                      \
    }

/* The rows of an output are packed or full; always packed; or never. Trees have kernels of their own: trees.cu. */
#define TD_KERNELS_2D(w, A)                                                                        \
    extern "C" const td_kernels td_kernels_##w;                                                    \
    const td_kernels td_kernels_##w = {                                                            \
        TD_PACKED(w),           TD_CELL(w), TD_LOOP(w), {}, TD_PART(w), TD_RECTANGLE(w),           \
        TD_RECTANGLE_LOOP(w, 4)};
#define TD_PACKED_KERNELS_2D(w, A)                                                                 \
    extern "C" const td_kernels td_kernels_##w;                                                    \
    const td_kernels td_kernels_##w = {TD_PACKED(w), {},   TD_SHORT_LOOP(w),       {},             \
                                       {},           NULL, TD_RECTANGLE_LOOP(w, 1)};
#define TD_OTHER_KERNELS_2D(w, A)                                                                  \
    extern "C" const td_kernels td_kernels_##w;                                                    \
    const td_kernels td_kernels_##w = {{}, TD_CELL(w), TD_SHORT_LOOP(w),       {},                 \
                                       {}, NULL,       TD_RECTANGLE_LOOP(w, 1)};

#endif
