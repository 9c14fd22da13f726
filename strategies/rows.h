/* rows - whole rows of tiles from the first to the last, one triangle of a batch after the other. */
#ifndef TD_STRATEGIES_ROWS_H
#define TD_STRATEGIES_ROWS_H

#include "row_sections.h"

static inline void td_rows_plan(const td_domain *domain, td_plan *plan)
{
    td_sections_plan(domain, domain->tiles, 1, plan);
}

/*
 * td_rows_map - block b takes row b of the triangle: the shortest row first, as a grid of rows, heads and batches has
 * them. In sections of S triangles: row i of all of them, then row i + 1.
 *
 * Shape   n blocks per triangle, in one dimension
 * Exact   for n <= 1048575 and up to 4096 triangles: blocks are numbered in 32 bits, and all else is whole numbers
 *         (tests: sections_of_rows_come_in_order, the_largest_batches_of_rows_are_exact)
 * Source  the grid of FlashAttention 2
 */
TD_FN td_tile td_rows_map(const td_launch *launch, td_dim3 block)
{
    const td_tile at = td_in_section(launch, block.x);
    return td_rows_at(at.x, at.y, at.y);
}

TD_DESCRIPTOR td_strategy td_rows = {
    .id = TD_STRATEGY_rows,
    .name = "rows",
    .summary = "whole rows of tiles, from the first to the last",
    .source = "FlashAttention 2",
    .exact_n = 1048575,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .usual_group = 1,
    .by_rows = true,
    .plan = td_rows_plan,
    .block_map = td_rows_map,
};

#endif
