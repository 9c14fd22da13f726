/* walk.c - the walk over blocks, compiled for each strategy's map. */
#include "cpu.h"

#include "strategies/strategies.h"
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

td_box td_cpu_box_of(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                     td_tile tile)
{
    const uint32_t side = launch->tile, width = launch->width;
    td_box box = {.square = work->square};
    box.x = tile.x * (box.square ? width : side);
    box.end_x = box.x + width;
    if (work->strategy->dimension == 3) {
        box.y = tile.y * side;
        box.end_y = box.y + side;
        box.z = tile.z * side;
        box.end_z = td_least(box.z + side, data->n);
    } else {
        box.y = tile.y * side + tile.z * launch->rows;
        box.end_y = td_least(box.y + launch->rows, data->n);
    }
    return box;
}

/* Element 0 of a sum's output is the total. The sums of the tiles follow, in an order that does not depend on the
 * strategy. A tile that represents several stores its sum at the index of the first. */
static void run_sum(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                    const td_box *box, td_tile tile)
{
    double *part = (double *)data->output + 1 + td_tetra_index(tile.x, tile.y, tile.z);
    for (uint32_t x = 1; x < td_tile_count(3, launch, tile); x++) {
        part[x] = 0.0;
    }
    work->cells(data, box, data->input, part);
}

/* Not inlined: there is a walk for each map. */
static __attribute__((noinline)) void run_tile(const td_launch *launch, const td_data *data,
                                               const td_cpu_work *work, td_tile tile)
{
    const td_box box = td_cpu_box_of(launch, data, work, tile);
    if (work->is_sum) {
        run_sum(launch, data, work, &box, tile);
    } else if (work->in_tile) {
        const td_data in = work->strategy->dimension == 3
                               ? td_in_tile3(data, tile.x, tile.y, tile.z)
                               : td_in_tile(data, tile.x, tile.y);
        work->cells(&in, &box, in.input, in.output);
    } else {
        work->cells(data, &box, data->input, data->output);
    }
}

/* One or two rows of tiles, each as a box: see map.h. */
static __attribute__((noinline)) void run_rows(const td_launch *launch, const td_data *data,
                                               const td_cpu_work *work, td_tile rows)
{
    const uint32_t both[] = {rows.y, rows.z};
    for (size_t i = 0; i < (rows.z != rows.y ? 2 : 1); i++) {
        td_box box = td_cpu_box_of(launch, data, work, td_tile_at(0, both[i], true));
        box.z = rows.x;
        work->cells(data, &box, data->input, data->output);
    }
}

TD_INLINE void walk_blocks(const td_launch *launch, const td_data *data, const td_cpu_work *work,
                           uint64_t first, uint64_t end, td_block_map_fn *map)
{
    td_dim3 block = td_nth_block(launch, first / launch->bands);
    uint32_t band = (uint32_t)(first % launch->bands); /* 0 in 3D */
    for (uint64_t b = first; b < end; b++) {
        td_tile tile = map(launch, block);
        if (tile.active && launch->batch > 0) {
            run_rows(launch, data, work, tile);
        } else if (tile.active) {
            tile.x += launch->origin_x;
            tile.y += launch->origin_y;
            tile.z += band;
            run_tile(launch, data, work, tile);
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
            const td_box run = {.x = col, .end_x = end, .y = at.row, .end_y = at.row + 1};
            work->cells(data, &run, data->input, data->output);
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
    if (work->square || launch->rectangle) {
        walk_blocks(launch, data, work, first, end, td_strategy_of_square()->square_map);
        return;
    }
    switch (work->strategy->id) {
/* clang-format off */
#define WALK(s, walk) case TD_STRATEGY_##s: walk(launch, data, work, first, end, td_##s##_map); return;
        TD_BLOCK_MAPS(WALK, walk_blocks) TD_TREES(WALK, walk_blocks) TD_STRATEGIES_3D(WALK, walk_blocks)
        TD_THREAD_MAPS(WALK, walk_blocks_of_threads)
        /* clang-format on */
    }
    if (work->strategy->unit == TD_MAPS_THREADS) { /* a map from a file */
        walk_blocks_of_threads(launch, data, work, first, end, work->strategy->thread_map);
    } else {
        walk_blocks(launch, data, work, first, end, work->strategy->block_map);
    }
}
