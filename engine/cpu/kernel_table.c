/* kernel_table.c - one specialised block function per (strategy, workload), made from the lists. */
#include "kernel_table.h"

#include "strategies/strategies.h"
#include "tile_loop.h"
#include "workloads/workloads.h"

/* clang-format off */
#define BLOCK_PAIR(w, s)                                                                           \
    static void s##_##w(const td_launch *launch, const td_data *data, td_dim3 block)               \
    {                                                                                              \
        td_loop_block(launch, data, block, td_##s##_map, td_##w##_cell);                           \
    }
#define THREAD_PAIR(w, s)                                                                          \
    static void s##_##w(const td_launch *launch, const td_data *data, td_dim3 block)               \
    {                                                                                              \
        td_loop_threads(launch, data, block, td_##s##_map, td_##w##_cell);                         \
    }
#define BLOCK_PAIRS(s, ...) TD_WORKLOADS_2D(BLOCK_PAIR, s) TD_STEMS_2D(BLOCK_PAIR, s)
#define TREE_PAIRS(s, ...) TD_WORKLOADS_2D(BLOCK_PAIR, s)
#define THREAD_PAIRS(s, ...) TD_WORKLOADS_2D(THREAD_PAIR, s)
TD_BLOCK_MAPS(BLOCK_PAIRS, )
TD_THREAD_MAPS(THREAD_PAIRS, )
TD_TREES(TREE_PAIRS, )

#define CELL(w, s) [TD_WORKLOAD_##w] = s##_##w,
#define TILED(w, stem, s) [TD_WORKLOAD_##w] = s##_##stem,
#define TILED_AS(w, stem, variant, s) TILED(w, stem, s)
#define ROW(s, ...) [TD_STRATEGY_##s] = {TD_WORKLOADS_2D(CELL, s)},
#define BLOCK_ROW(s, ...) \
    [TD_STRATEGY_##s] = {TD_WORKLOADS_2D(CELL, s) TD_TILED_2D(TILED, s) TD_TILED_AS_2D(TILED_AS, s)},
static td_cpu_block_fn *const block_fns[TD_STRATEGY_COUNT][TD_WORKLOAD_COUNT] = {
    TD_BLOCK_MAPS(BLOCK_ROW, ) TD_THREAD_MAPS(ROW, ) TD_TREES(ROW, )};

#define CHECK(w, A) [TD_WORKLOAD_##w] = td_##w##_check,
#define TILED_CHECK(w, stem, A) [TD_WORKLOAD_##w] = td_##stem##_check,
#define TILED_AS_CHECK(w, stem, variant, A) TILED_CHECK(w, stem, A)
static td_check_fn *const checks[TD_WORKLOAD_COUNT] = {
    TD_WORKLOADS_2D(CHECK, ) TD_TILED_2D(TILED_CHECK, ) TD_TILED_AS_2D(TILED_AS_CHECK, )};

#define SQUARE(stem, A)                                                                            \
    static void square_##stem(const td_launch *launch, const td_data *data, td_dim3 block)         \
    {                                                                                              \
        td_loop_square(launch, data, block, td_##stem##_cell);                                     \
    }
TD_VARIANTS_2D(SQUARE, )
TD_STEMS_2D(SQUARE, )

#define VARIANT(w, name) [TD_WORKLOAD_##w] = {td_##name##_reference, td_##w##_paint, square_##w},
#define TILED_VARIANT(w, stem, name) [TD_WORKLOAD_##w] = {td_##name##_reference, td_##stem##_paint, square_##stem},
#define VARIANT_TILED_AS(w, stem, variant, name) TILED_VARIANT(w, stem, name)
static const td_cpu_steps_fns steps[TD_WORKLOAD_COUNT] = {
    TD_EACH_PLAIN_VARIANT_2D(VARIANT)
        TD_EACH_TILED_VARIANT_2D(TILED_VARIANT) TD_EACH_VARIANT_TILED_AS_2D(VARIANT_TILED_AS)};
/* clang-format on */

const td_cpu_steps_fns *td_cpu_steps(const td_workload *workload)
{
    return &steps[workload->id];
}

td_cpu_block_fn *td_cpu_block_fn_of(const td_strategy *strategy, const td_workload *workload)
{
    return strategy->dimension == 3 ? td_cpu_block_fn_of_3d(strategy, workload)
                                    : block_fns[strategy->id][workload->id];
}

td_check_fn *td_cpu_check(const td_workload *workload)
{
    return checks[workload->id];
}
