/* tile_loop.h - the cells of one block, for the cpu engine: maps and cells are constants wherever this is inlined. */
#ifndef TD_ENGINE_CPU_TILE_LOOP_H
#define TD_ENGINE_CPU_TILE_LOOP_H

#include "strategies/map.h"
#include "workloads/data.h"

#define TD_INLINE static inline __attribute__((always_inline))

TD_INLINE uint32_t td_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/*
 * The cells of tile (x, y): rows and columns end with the domain, the diagonal cuts a row short.
 *
 * `omp simd` says what is true of every cell function: cells do not depend on each other.
 */
TD_INLINE void td_loop_tile(const td_launch *launch, const td_data *data, td_tile tile,
                            td_cell_fn *cell)
{
    const td_data local = *data; /* stores of cells cannot alias it, so it stays in registers */
    const uint32_t side = launch->tile;
    const uint32_t first_col = tile.x * side;
    const uint32_t first_row = tile.y * side;
    const uint32_t end_row = td_least(first_row + side, local.n);
    for (uint32_t row = first_row; row < end_row; row++) {
        const uint32_t end_col = td_least(first_col + side, row + 1);
#pragma omp simd
        for (uint32_t col = first_col; col < end_col; col++) {
            cell(&local, row, col);
        }
    }
}

TD_INLINE void td_loop_block(const td_launch *launch, const td_data *data, td_dim3 block,
                             td_block_map_fn *map, td_cell_fn *cell)
{
    const td_tile tile = map(launch, block);
    if (tile.active) {
        td_loop_tile(launch, data, tile, cell);
    }
}

/* The cells of tile (x, y) = block of the whole square. */
TD_INLINE void td_loop_square(const td_launch *launch, const td_data *data, td_dim3 block,
                              td_cell_fn *cell)
{
    const td_data local = *data;
    const uint32_t first_row = block.y * launch->tile, first_col = block.x * launch->tile;
    const uint32_t end_row = td_least(first_row + launch->tile, local.n);
    const uint32_t end_col = td_least(first_col + launch->tile, local.n);
    for (uint32_t row = first_row; row < end_row; row++) {
#pragma omp simd
        for (uint32_t col = first_col; col < end_col; col++) {
            cell(&local, row, col);
        }
    }
}

TD_INLINE void td_loop_threads(const td_launch *launch, const td_data *data, td_dim3 block,
                               td_thread_map_fn *map, td_cell_fn *cell)
{
    const td_data local = *data;
    td_thread t = {block, {0, 0, 0}};
    for (t.thread.y = 0; t.thread.y < launch->block.y; t.thread.y++) {
        for (t.thread.x = 0; t.thread.x < launch->block.x; t.thread.x++) {
            const td_cell at = map(launch, t);
            if (at.active) {
                cell(&local, at.row, at.col);
            }
        }
    }
}

#endif
