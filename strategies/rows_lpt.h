/* rows-lpt - whole rows of tiles, the longest first. */
#ifndef TD_STRATEGIES_ROWS_LPT_H
#define TD_STRATEGIES_ROWS_LPT_H

#include "row_sections.h"

static inline void td_rows_lpt_plan(const td_domain *domain, td_plan *plan)
{
    td_sections_plan(domain, domain->tiles, TD_USUAL_SECTION, plan);
}

/*
 * td_rows_lpt_map - block b takes row n - 1 - b: what is left at the end is short, wherever it runs (longest processing
 * time first; Graham 1969). Of a batch, the longest rows of all triangles, then the next; in sections of S triangles,
 * those of S, whose columns stay in the cache.
 *
 * Shape   n blocks per triangle, in one dimension
 * Exact   as rows
 * Source  the scheduler of FlashAttention 3
 */
TD_FN td_tile td_rows_lpt_map(const td_launch *launch, td_dim3 block)
{
    const td_tile at = td_in_section(launch, block.x);
    const uint32_t row = launch->n - 1 - at.y;
    return td_rows_at(at.x, row, row);
}

TD_DESCRIPTOR td_strategy td_rows_lpt = {
    .id = TD_STRATEGY_rows_lpt,
    .name = "rows-lpt",
    .summary = "whole rows of tiles, the longest first",
    .source = "FlashAttention 3",
    .exact_n = 1048575,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .usual_group = TD_USUAL_SECTION,
    .by_rows = true,
    .plan = td_rows_lpt_plan,
    .block_map = td_rows_lpt_map,
};

#endif
