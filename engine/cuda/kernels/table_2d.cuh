/*
 * table_2d.cuh - the kernels of one 2D workload, or of one row of an automaton's table, under every strategy. Each
 * family of workloads is one .cu file, because every start of nvcc costs seconds.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_TABLE_2D_CUH
#define TD_ENGINE_CUDA_KERNELS_TABLE_2D_CUH

#include "engine/cuda/kernel_table.h"
#include "bounded.cuh"
#include "dynamic.cuh"
#include "pick.cuh"

/* The rows of an output are packed or full, always packed, or never packed. */
typedef enum td_output_rows { TD_EITHER_ROWS, TD_PACKED_ROWS, TD_OTHER_ROWS } td_output_rows;

/* Cells that a thread computes at a time. A cell of an automaton has a hundred instructions; unrolled, these cells
 * would take a fifth of the build time. */
template <td_output_rows Rows>
inline constexpr int td_unroll = Rows == TD_EITHER_ROWS ? 4 : 1;

template <td_block_map_fn *Map, td_cell_fn *Cell, td_output_rows Rows>
void td_add_block_map(td_kernels *to, uint32_t strategy)
{
    to->loop[strategy] = (const void *)td_loop_kernel<Map, Cell, td_unroll<Rows>>;
    if constexpr (Rows != TD_OTHER_ROWS) {
        to->packed[strategy] = (const void *)td_block_kernel<Map, Cell, true>;
    }
    if constexpr (Rows != TD_PACKED_ROWS) {
        to->cell[strategy] = (const void *)td_block_kernel<Map, Cell, false>;
    }
    if constexpr (Rows == TD_EITHER_ROWS) {
        to->part[strategy] = (const void *)td_block_kernel<Map, Cell, true, true>;
    }
}

template <td_thread_map_fn *Map, td_cell_fn *Cell, td_output_rows Rows>
void td_add_thread_map(td_kernels *to, uint32_t strategy)
{
    to->loop[strategy] = (const void *)td_thread_kernel<Map, Cell, false, true>;
    if constexpr (Rows != TD_OTHER_ROWS) {
        to->packed[strategy] = (const void *)td_thread_kernel<Map, Cell, true, false>;
    }
    if constexpr (Rows != TD_PACKED_ROWS) {
        to->cell[strategy] = (const void *)td_thread_kernel<Map, Cell, false, false>;
    }
}

/* Trees have kernels of their own in trees.cu. */
template <td_cell_fn *Cell, td_output_rows Rows>
td_kernels td_kernels_of_cell()
{
    td_kernels all = {};
    td_for_ids<TD_STRATEGY_COUNT>([&]<uint32_t Id>() {
        constexpr const td_strategy *s = td_strategy_by_id[Id];
        if constexpr (s->unit == TD_MAPS_THREADS) {
            td_add_thread_map<s->thread_map, Cell, Rows>(&all, Id);
        } else if constexpr (s->dimension == 2 && s->tree == NULL) {
            td_add_block_map<s->block_map, Cell, Rows>(&all, Id);
        }
    });
    all.dynamic = (const void *)td_kernel_of<td_run_dynamic<Cell, td_unroll<Rows>>, 64>();
    all.rectangle_loop = (const void *)td_loop_kernel<td_whole_square_map, Cell, td_unroll<Rows>>;
    if constexpr (Rows == TD_EITHER_ROWS) {
        all.rectangle = (const void *)td_rectangle_kernel<Cell>;
    }
    return all;
}

#endif
