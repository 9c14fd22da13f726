/* walk.c - one specialised walk over blocks per strategy, made from the lists. */
#include "walk.h"

#include "engine/bench/coverage.h"
#include "strategies/strategies.h"
#include "tile_loop.h"

/* Without a division, of which td_nth_block has four. */
TD_INLINE td_dim3 block_behind(const td_launch *launch, td_dim3 block)
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

TD_INLINE void walk_blocks(const td_launch *launch, const td_data *data, td_cpu_tile_fn *tile_fn,
                           uint64_t first, uint64_t end, td_block_map_fn *map)
{
    td_dim3 block = td_nth_block(launch, first);
    for (uint64_t b = first; b < end; b++) {
        const td_tile tile = map(launch, block);
        if (tile.active) {
            tile_fn(launch, data, tile);
        }
        block = block_behind(launch, block);
    }
}

/* Cells side by side, which threads side by side have found. */
typedef struct run {
    uint32_t row, col, end;
} run;

/* The threads of a row of a block. Each asks the map; neighbours in a row of the domain are one run. */
TD_INLINE void walk_threads(const td_launch *launch, const td_data *data, td_cpu_run_fn *run_fn,
                            td_thread t, td_thread_map_fn *map)
{
    run found = {0, 0, 0};
    for (t.thread.x = 0; t.thread.x < launch->block.x; t.thread.x++) {
        const td_cell at = map(launch, t);
        if (at.active && at.row == found.row && at.col == found.end && found.end > found.col) {
            found.end++;
            continue;
        }
        if (found.end > found.col) {
            run_fn(data, found.row, found.col, found.end);
        }
        found.row = at.row;
        found.col = at.col;
        found.end = at.col + at.active;
    }
    if (found.end > found.col) {
        run_fn(data, found.row, found.col, found.end);
    }
}

TD_INLINE void walk_blocks_of_threads(const td_launch *launch, const td_data *data,
                                      td_cpu_run_fn *run_fn, uint64_t first, uint64_t end,
                                      td_thread_map_fn *map)
{
    td_thread t = {td_nth_block(launch, first), {0, 0, 0}};
    for (uint64_t b = first; b < end; b++) {
        for (t.thread.y = 0; t.thread.y < launch->block.y; t.thread.y++) {
            walk_threads(launch, data, run_fn, t, map);
        }
        t.block = block_behind(launch, t.block);
    }
}

/* clang-format off */
#define BLOCK_WALK(s, A)                                                                           \
    static void walk_##s(const td_launch *launch, const td_data *data, td_cpu_work work,           \
                         uint64_t first, uint64_t end)                                             \
    {                                                                                              \
        walk_blocks(launch, data, work.tile, first, end, td_##s##_map);                            \
    }
#define THREAD_WALK(s, A)                                                                          \
    static void walk_##s(const td_launch *launch, const td_data *data, td_cpu_work work,           \
                         uint64_t first, uint64_t end)                                             \
    {                                                                                              \
        walk_blocks_of_threads(launch, data, work.run, first, end, td_##s##_map);                  \
    }
TD_BLOCK_MAPS(BLOCK_WALK, )
TD_THREAD_MAPS(THREAD_WALK, )
TD_TREES(BLOCK_WALK, )
TD_STRATEGIES_3D(BLOCK_WALK, )

#define WALK(s, A) [TD_STRATEGY_##s] = walk_##s,
static td_cpu_walk_fn *const walks[TD_STRATEGY_COUNT] = {TD_STRATEGIES(WALK, )};
/* clang-format on */

td_cpu_walk_fn *td_cpu_walk_of(const td_strategy *strategy)
{
    return walks[strategy->id];
}

void td_cpu_walk_square(const td_launch *launch, const td_data *data, td_cpu_work work,
                        uint64_t first, uint64_t end)
{
    walk_blocks(launch, data, work.tile, first, end, td_strategy_of_square()->square_map);
}
