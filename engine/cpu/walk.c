/* walk.c - the walk over blocks, compiled for each strategy's map. */
#include "cpu.h"

#include "strategies/strategies.h"
#include "engine/cpu/kernels/tile_rows.h"
#include "workloads/layout.h"
#include "workloads/layout3.h"

/* The next block, without the four divisions of td_nth_block. */
TD_INLINE td_dim3 next_block(const td_launch *launch, td_dim3 block)
{
    block.x++;
    if (block.x == launch->first.x + launch->grid.x) {
        block.x = launch->first.x;
        block.y++;
        if (block.y == launch->first.y + launch->grid.y) {
            block.y = launch->first.y;
            block.z++;
        }
    }
    return block;
}

/* Not inlined, so that other layouts pay for a branch only. */
static __attribute__((noinline)) void run_tile_of(const td_launch *launch, const td_data *data,
                                                  const td_cpu_work *work, td_tile tile)
{
    const td_data in = td_strategies[work->strategy]->dimension == 3
                           ? td_in_tile3(data, tile.x, tile.y, tile.z)
                           : td_in_tile(data, tile.x, tile.y);
    work->tile(launch, &in, tile);
}

TD_INLINE void walk_blocks(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                           uint64_t first, uint64_t end, td_block_map_fn *map)
{
    td_dim3 block = td_nth_block(launch, first / launch->bands);
    uint32_t band = (uint32_t)(first % launch->bands); /* 0 in 3D */
    for (uint64_t b = first; b < end; b++) {
        td_tile tile = map(launch, block);
        if (tile.active) {
            tile.x += launch->origin_x;
            tile.y += launch->origin_y;
            tile.z += band;
            if (work->in_tile) {
                run_tile_of(launch, data, work, tile);
            } else {
                work->tile(launch, data, tile);
            }
        }
        if (++band == launch->bands) {
            band = 0;
            block = next_block(launch, block);
        }
    }
}

/* Threads that are mapped before any of them works. */
enum { THREADS_AT_A_TIME = 64 };

/* Whether column `at` extends the run [*col, *end) by one to the right or to the left; if so, it is added to the
 * run. */
TD_INLINE bool run_takes(uint32_t *col, uint32_t *end, uint32_t at)
{
    const bool after = at == *end, before = at + 1 == *col;
    *end += after;
    *col -= before;
    return after || before;
}

/* Run threads whose cells are known: consecutive threads on neighbouring cells of a row become one run. */
TD_INLINE void run_cells(const td_data *data, const td_cpu_work *work, const td_cell *cells,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count;) {
        const td_cell at = cells[i++];
        uint32_t col = at.col, end = at.col + 1;
        if (at.active) {
            while (i < count && cells[i].active && cells[i].row == at.row &&
                   run_takes(&col, &end, cells[i].col)) {
                i++;
            }
            work->run(data, at.row, col, end);
        }
    }
}

/* Run the threads in one row of a block. */
TD_INLINE void walk_threads(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                            td_thread t, td_thread_map_fn *map)
{
    td_cell cells[THREADS_AT_A_TIME];
    while (t.thread.x < launch->block.x) {
        const uint32_t count = td_least(THREADS_AT_A_TIME, launch->block.x - t.thread.x);
        for (uint32_t i = 0; i < count; i++, t.thread.x++) {
            cells[i] = map(launch, t);
        }
        run_cells(data, work, cells, count);
    }
}

TD_INLINE void walk_blocks_of_threads(const td_launch *launch, const td_data *data,
                                      const td_cpu_work *work, uint64_t first, uint64_t end,
                                      td_thread_map_fn *map)
{
    td_thread t = {td_nth_block(launch, first), {0, 0, 0}};
    for (uint64_t b = first; b < end; b++) {
        for (t.thread.y = 0; t.thread.y < launch->block.y; t.thread.y++) {
            walk_threads(launch, data, work, t, map);
        }
        t.block = next_block(launch, t.block);
    }
}

void td_cpu_walk(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                 uint64_t first, uint64_t end)
{
    switch (work->strategy) {
/* clang-format off */
#define WALK(s, walk) case TD_STRATEGY_##s: walk(launch, data, work, first, end, td_##s##_map); return;
        TD_BLOCK_MAPS(WALK, walk_blocks) TD_TREES(WALK, walk_blocks) TD_STRATEGIES_3D(WALK, walk_blocks)
        TD_THREAD_MAPS(WALK, walk_blocks_of_threads)
        /* clang-format on */
    }
}

void td_cpu_walk_square(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                        uint64_t first, uint64_t end)
{
    walk_blocks(launch, data, work, first, end, td_strategy_of_square()->square_map);
}
