/* kernel_table_3d.c - one specialised block function per (strategy, workload) in 3D, made from the lists. */
#include "kernel_table.h"

#include "strategies/strategies.h"
#include "tile_loop_3d.h"
#include "workloads/workloads.h"

/* A sum keeps its total in element 0 and the sum of each tile behind it, whatever block a strategy gives the tile to. A
 * tile that stands for several leaves its sum in the first of their places. */
TD_INLINE void sum_block(const td_launch *launch, const td_data *data, td_dim3 block,
                         td_block_map_fn *map, td_term3_fn *term)
{
    const td_tile tile = map(launch, block);
    if (tile.active) {
        double *part = (double *)data->output + 1 + td_tetra_index(tile.x, tile.y, tile.z);
        part[0] = td_sum_tile3(launch, data, tile, term);
        for (uint32_t x = 1; x < td_tile_columns(launch, tile); x++) {
            part[x] = 0.0;
        }
    }
}

/* clang-format off */
#define PAIR(w, s)                                                                           \
    static void s##_##w(const td_launch *launch, const td_data *data, td_dim3 block)               \
    {                                                                                              \
        td_loop_block3(launch, data, block, td_##s##_map, td_##w##_cell);                          \
    }
#define SUM_PAIR(w, s)                                                                       \
    static void s##_##w(const td_launch *launch, const td_data *data, td_dim3 block)               \
    {                                                                                              \
        sum_block(launch, data, block, td_##s##_map, td_##w##_cell);                               \
    }
#define PAIRS(s, ...) TD_WORKLOADS_3D(PAIR, s) TD_SUMS_3D(SUM_PAIR, s)
TD_STRATEGIES_3D(PAIRS, )

#define CELL(w, s) [TD_WORKLOAD_##w] = s##_##w,
#define ROW(s, ...) [TD_STRATEGY_##s] = {TD_WORKLOADS_3D(CELL, s) TD_SUMS_3D(CELL, s)},
static td_cpu_block_fn *const block_fns[TD_STRATEGY_COUNT][TD_WORKLOAD_COUNT] = {TD_STRATEGIES_3D(ROW, )};

#define CHECK(w, A) [TD_WORKLOAD_##w] = td_##w##_check,
static td_check3_fn *const checks[TD_WORKLOAD_COUNT] = {TD_WORKLOADS_3D(CHECK, )};
/* clang-format on */

td_cpu_block_fn *td_cpu_block_fn_of_3d(const td_strategy *strategy, const td_workload *workload)
{
    return block_fns[strategy->id][workload->id];
}

td_check3_fn *td_cpu_check_3d(const td_workload *workload)
{
    return checks[workload->id];
}
