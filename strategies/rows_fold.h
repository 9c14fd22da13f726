/* rows-fold - pairs of rows that together are equally long: the fold of rb-b, for blocks that take whole rows. */
#ifndef TD_STRATEGIES_ROWS_FOLD_H
#define TD_STRATEGIES_ROWS_FOLD_H

#include "row_sections.h"

static inline void td_rows_fold_plan(const td_domain *domain, td_plan *plan)
{
    td_sections_plan(domain, td_ceil_div(domain->tiles, 2), TD_USUAL_SECTION, plan);
}

/*
 * td_rows_fold_map - block b takes row n - 1 - b and then row b: n + 1 tiles, whatever b. The middle row of an odd n
 * has a block for itself, the last one.
 *
 * Shape   ceil(n / 2) blocks per triangle, in one dimension
 * Exact   as rows
 * Source  rb-b along whole rows; called zig-zag or fold where attention does it
 */
TD_FN td_tile td_rows_fold_map(const td_launch *launch, td_dim3 block)
{
    const td_tile at = td_in_section(launch, block.x);
    return td_rows_at(at.x, launch->n - 1 - at.y, at.y);
}

TD_DESCRIPTOR td_strategy td_rows_fold = {
    .id = TD_STRATEGY_rows_fold,
    .name = "rows-fold",
    .summary = "whole rows of tiles, row n - 1 - i and row i in one block",
    .source = "rb-b",
    .exact_n = 1048575,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .usual_group = TD_USUAL_SECTION,
    .by_rows = true,
    .plan = td_rows_fold_plan,
    .block_map = td_rows_fold_map,
};

#endif
