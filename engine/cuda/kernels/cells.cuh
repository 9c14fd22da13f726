/* cells.cuh - the kernels that work cell by cell: all of one cell, under every strategy. */
#ifndef TD_ENGINE_CUDA_KERNELS_CELLS_CUH
#define TD_ENGINE_CUDA_KERNELS_CELLS_CUH

#include "engine/cuda/kernel_table.h"
#include "kernel.cuh"
#include "one_cell.cuh"
#include "pick.cuh"
#include "walk.cuh"

/* The rows of an output in 2D are packed or full, always packed, or never packed. */
typedef enum td_output_rows { TD_EITHER_ROWS, TD_PACKED_ROWS, TD_OTHER_ROWS } td_output_rows;

/* Cells that a thread computes at a time. A cell of an automaton has a hundred instructions; unrolled, these cells
 * would take a fifth of the build time. */
template <td_output_rows Rows>
inline constexpr int td_unroll = Rows == TD_EITHER_ROWS ? 4 : 1;

template <td_block_map_fn *Map, td_cell_fn *Cell, td_output_rows Rows>
void td_add_block_map(td_kernels *to, uint32_t strategy)
{
    to->of[TD_LOOPS][strategy] = td_kernel_of<td_run_loop<Map, Cell, td_unroll<Rows>>>();
    if constexpr (Rows != TD_OTHER_ROWS) {
        to->of[TD_PACKED_CELLS][strategy] = td_kernel_of<td_run_block<Map, Cell, true>>();
    }
    if constexpr (Rows != TD_PACKED_ROWS) {
        to->of[TD_ANY_CELLS][strategy] = td_kernel_of<td_run_block<Map, Cell, false>>();
    }
    if constexpr (Rows == TD_EITHER_ROWS && !td_is_by_rows<Map>) {
        to->of[TD_PART_CELLS][strategy] = td_kernel_of<td_run_block<Map, Cell, true, true>>();
    }
}

template <td_thread_map_fn *Map, td_cell_fn *Cell, td_output_rows Rows>
void td_add_thread_map(td_kernels *to, uint32_t strategy)
{
    to->of[TD_LOOPS][strategy] = td_kernel_of<td_run_thread<Map, Cell, false, true>>();
    if constexpr (Rows != TD_OTHER_ROWS) {
        to->of[TD_PACKED_CELLS][strategy] = td_kernel_of<td_run_thread<Map, Cell, true, false>>();
    }
    if constexpr (Rows != TD_PACKED_ROWS) {
        to->of[TD_ANY_CELLS][strategy] = td_kernel_of<td_run_thread<Map, Cell, false, false>>();
    }
}

template <td_block_map_fn *Map, auto *Cell>
void td_add_map_3d(td_kernels *to, uint32_t strategy)
{
    constexpr int eight = td_has_whole_rows<Map> ? 0 : 8; /* whole rows may have any size */
    to->of[TD_LOOPS][strategy] = td_kernel_3d<Cell, td_run_loop<Map, Cell>>();
    to->of[TD_ANY_CELLS][strategy] = td_kernel_3d<Cell, td_run_cells_3d<Map, Cell, 0, false>>();
    to->of[TD_EIGHT_PACKED][strategy] =
        td_kernel_3d<Cell, td_run_cells_3d<Map, Cell, eight, false>>();
    to->of[TD_EIGHT_FULL][strategy] =
        td_kernel_3d<Cell, td_run_cells_3d<Map, Cell, eight, eight != 0>>();
}

/* Trees have kernels of their own in trees.cu. */
template <auto *Cell, td_output_rows Rows = TD_EITHER_ROWS>
void td_add_cells(td_kernels *to)
{
    td_for_ids<TD_STRATEGY_COUNT>([&]<uint32_t Id>() {
        constexpr const td_strategy *s = td_strategy_by_id[Id];
        if constexpr (s->dimension != td_dimension(Cell) || s->tree != NULL) {
        } else if constexpr (s->dimension == 3) {
            td_add_map_3d<s->block_map, Cell>(to, Id);
        } else if constexpr (s->unit == TD_MAPS_THREADS) {
            td_add_thread_map<s->thread_map, Cell, Rows>(to, Id);
        } else {
            if constexpr (!s->by_rows || Rows == TD_EITHER_ROWS) {
                td_add_block_map<s->block_map, Cell, Rows>(to, Id);
            }
        }
    });
    constexpr td_run_fn *dynamic = td_run_dynamic<Cell, td_unroll<Rows>>;
    if constexpr (td_dimension(Cell) == 3) {
        to->of[TD_DYNAMIC][0] = td_kernel_3d<Cell, dynamic>();
    } else {
        to->of[TD_DYNAMIC][0] = td_kernel_of<dynamic, 64>();
        to->of[TD_RECTANGLE_LOOPS][0] =
            td_kernel_of<td_run_loop<td_whole_square_map, Cell, td_unroll<Rows>>>();
        if constexpr (Rows == TD_EITHER_ROWS) {
            to->of[TD_RECTANGLE][0] = td_kernel_of<td_run_rectangle<Cell>>();
            to->of[TD_DYNAMIC_ROWS][0] = td_kernel_of<td_run_dynamic_rows<Cell>, 64>();
        }
    }
}

#endif
