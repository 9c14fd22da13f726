/* kernel_table.c - one specialised block function per (strategy, workload), made from the lists. */
#include "kernel_table.h"

#include "strategies/strategies.h"
#include "workloads/workloads.h"
#include "tile_loop.h"

/* clang-format off */
#define BLOCK_PAIR(w, name, s)                                                                     \
    static void s##_##w(const td_launch *launch, const td_data *data, td_dim3 block)               \
    {                                                                                              \
        td_loop_block(launch, data, block, td_##s##_map, td_##w##_cell);                           \
    }
#define THREAD_PAIR(w, name, s)                                                                    \
    static void s##_##w(const td_launch *launch, const td_data *data, td_dim3 block)               \
    {                                                                                              \
        td_loop_threads(launch, data, block, td_##s##_map, td_##w##_cell);                         \
    }
#define BLOCK_STEM(w, s) BLOCK_PAIR(w, "", s)
#define BLOCK_PAIRS(s, ...) TD_WORKLOADS_2D(BLOCK_PAIR, s) TD_STEMS_2D(BLOCK_STEM, s)
#define TREE_PAIRS(s, ...) TD_WORKLOADS_2D(BLOCK_PAIR, s)
#define THREAD_PAIRS(s, ...) TD_WORKLOADS_2D(THREAD_PAIR, s)
TD_BLOCK_MAPS(BLOCK_PAIRS, )
TD_THREAD_MAPS(THREAD_PAIRS, )
TD_TREES(TREE_PAIRS, )

#define CELL(w, name, s) [TD_WORKLOAD_##w] = s##_##w,
#define TILED(w, name, stem, s) [TD_WORKLOAD_##w] = s##_##stem,
#define ROW(s, ...) [TD_STRATEGY_##s] = {TD_WORKLOADS_2D(CELL, s)},
#define BLOCK_ROW(s, ...) [TD_STRATEGY_##s] = {TD_WORKLOADS_2D(CELL, s) TD_TILED_2D(TILED, s)},
static td_cpu_block_fn *const pairs[TD_STRATEGY_COUNT][TD_WORKLOAD_COUNT] = {
    TD_BLOCK_MAPS(BLOCK_ROW, ) TD_THREAD_MAPS(ROW, ) TD_TREES(ROW, )};

#define CHECK(w, name, A) [TD_WORKLOAD_##w] = td_##w##_check,
#define TILED_CHECK(w, name, stem, A) [TD_WORKLOAD_##w] = td_##stem##_check,
static td_check_fn *const checks[TD_WORKLOAD_COUNT] = {TD_WORKLOADS_2D(CHECK, )
                                                       TD_TILED_2D(TILED_CHECK, )};

#define SQUARE(stem, A)                                                                            \
    static void square_##stem(const td_launch *launch, const td_data *data, td_dim3 block)         \
    {                                                                                              \
        td_loop_square(launch, data, block, td_##stem##_cell);                                     \
    }
TD_LIFE_PLAIN(SQUARE, )
TD_STEMS_2D(SQUARE, )

#define LIFE(w, A) [TD_WORKLOAD_##w] = {td_life_reference, td_##w##_paint, square_##w},
#define TILED_LIFE(w, name, stem, A)                                                               \
    [TD_WORKLOAD_##w] = {td_life_reference, td_##stem##_paint, square_##stem},
static const td_cpu_steps_fns steps[TD_WORKLOAD_COUNT] = {
    [TD_WORKLOAD_gol] = {td_gol_reference, NULL, NULL},
    TD_LIFE_PLAIN(LIFE, ) TD_TILED_2D(TILED_LIFE, )};
/* clang-format on */

const td_cpu_steps_fns *td_cpu_steps(const td_workload *workload)
{
    return &steps[workload->id];
}

td_cpu_block_fn *td_cpu_block_fn_of(const td_strategy *strategy, const td_workload *workload)
{
    return strategy->dimension == 3 ? td_cpu_block_fn_of_3d(strategy, workload)
                                    : pairs[strategy->id][workload->id];
}

td_check_fn *td_cpu_check(const td_workload *workload)
{
    return checks[workload->id];
}
