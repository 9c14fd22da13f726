/* ltm-t - the lower-triangular map as a table in memory: a block looks its tile up. */
#ifndef TD_STRATEGIES_LTM_T_H
#define TD_STRATEGIES_LTM_T_H

#include "triangle.h"

/* Each entry has 16 bits for the row and 16 for the column. */
static inline void td_ltm_t_fill(const td_domain *domain, uint32_t n, uint32_t *table)
{
    (void)domain;
    for (uint32_t row = 0; row < n; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            *table++ = row << 16 | col;
        }
    }
}

static inline void td_ltm_t_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_launch_over(domain, (uint32_t)td_triangle(domain->tiles), 1, 1));
}

/*
 * td_ltm_t_map - entry L of the table, in the published order from param[2] = 0 on: one load of 4 bytes per warp.
 *
 * Shape   T(n) blocks in one dimension
 * Exact   for n <= 8192, where the table takes 134 MB; its entries could distinguish 65536 rows (test:
 *         table_is_exact_up_to_its_range)
 * Source  section III.A of the paper on triangular domains mentions such tables, as slow as a square root
 */
TD_FN td_tile td_ltm_t_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t entry = td_load_u32(&td_launch_table(launch)[launch->param[2] + block.x]);
    return td_tile_at(entry & 0xffff, entry >> 16, true);
}

TD_DESCRIPTOR td_strategy td_ltm_t = {
    .id = TD_STRATEGY_ltm_t,
    .name = "ltm-t",
    .summary = "lower-triangular map, looked up in a table: exact, no wasted block",
    .source = "Navarro & Hitschfeld, section III.A",
    .exact_n = 8192,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_ltm_t_plan,
    .fill_table = td_ltm_t_fill,
    .block_map = td_ltm_t_map,
};

#endif
