/* tile_loop.h - the cells of one tile, for the cpu engine: cells are constants wherever this is inlined. */
#ifndef TD_ENGINE_CPU_KERNELS_TILE_LOOP_H
#define TD_ENGINE_CPU_KERNELS_TILE_LOOP_H

#include "strategies/map.h"
#include "workloads/data.h"

#define TD_INLINE static inline __attribute__((always_inline))

TD_INLINE uint32_t td_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Cells that are computed together: with four bytes each as many as the widest vector has. */
enum { TD_GROUP = 16 };

/*
 * The cells [col, end) of a row. Where a cell may be computed again they go in groups, the last of which overlaps the
 * one before it: a rest of single cells would cost as much as several groups.
 *
 * `omp simd` says what is true of every cell function: cells do not depend on each other. A group alone as a loop of a
 * constant length would be unrolled before it could become a vector, and so both rounds have the loop in common.
 */
TD_INLINE void td_loop_row(const td_data *data, uint32_t row, uint32_t col, uint32_t end,
                           td_cell_fn *cell, bool again)
{
    if (again && col + TD_GROUP <= end) {
        uint32_t groups = (end - col) / TD_GROUP;
        for (uint32_t first = col;;) {
            const uint32_t stop = first + groups * TD_GROUP;
#pragma omp simd
            for (uint32_t c = first; c < stop; c++) {
                cell(data, row, c);
            }
            if (stop == end) {
                return;
            }
            first = end - TD_GROUP;
            groups = 1;
        }
    }
#pragma omp simd
    for (uint32_t c = col; c < end; c++) {
        cell(data, row, c);
    }
}

/* Rows of a tile that nothing cuts short, in groups. A short loop: in a tile of 16x16 a row is one vector. */
TD_INLINE void td_loop_groups(const td_data *data, uint32_t row, uint32_t end_row, uint32_t col,
                              uint32_t groups, td_cell_fn *cell)
{
    const uint32_t stop = col + groups * TD_GROUP;
    for (; row < end_row; row++) {
#pragma omp simd
        for (uint32_t c = col; c < stop; c++) {
            cell(data, row, c);
        }
    }
}

/* The cells of tile (x, y): rows and columns end with the domain, the diagonal cuts a row short. */
TD_INLINE void td_loop_tile(const td_launch *launch, const td_data *data, td_tile tile,
                            td_cell_fn *cell, bool again)
{
    const td_data local = *data; /* stores of cells cannot alias it, so it stays in registers */
    const uint32_t side = launch->tile;
    const uint32_t first_col = tile.x * side;
    const uint32_t first_row = tile.y * side;
    const uint32_t end_row = td_least(first_row + side, local.n);
    if (again && side % TD_GROUP == 0 && first_col + side <= first_row + 1) {
        td_loop_groups(&local, first_row, end_row, first_col, side / TD_GROUP, cell);
        return;
    }
    for (uint32_t row = first_row; row < end_row; row++) {
        td_loop_row(&local, row, first_col, td_least(first_col + side, row + 1), cell, again);
    }
}

/* The cells of tile (x, y) of the whole square. */
TD_INLINE void td_loop_square(const td_launch *launch, const td_data *data, td_tile tile,
                              td_cell_fn *cell)
{
    const td_data local = *data;
    const uint32_t side = launch->tile;
    const uint32_t end_row = td_least((tile.y + 1) * side, local.n);
    const uint32_t end_col = td_least((tile.x + 1) * side, local.n);
    for (uint32_t row = tile.y * side; row < end_row; row++) {
        td_loop_row(&local, row, tile.x * side, end_col, cell, false);
    }
}

#endif
