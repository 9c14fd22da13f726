/* rows-list - whole rows of tiles in any order: a block looks its row up in a table. */
#ifndef TD_STRATEGIES_ROWS_LIST_H
#define TD_STRATEGIES_ROWS_LIST_H

#include "row_sections.h"

/* The rows of tiles of a triangle, of which the longest has n. Lengths are asked for behind an if, here and below: so
 * the programs of --emit, which have none, do not compute with them. */
static inline uint32_t td_listed_rows(const td_domain *domain, uint32_t n, uint32_t batch,
                                      uint32_t triangle)
{
    if (domain->lengths.rows != NULL) {
        return td_ceil_div(td_length_of(domain->lengths, domain->cells, batch, triangle),
                           domain->tile);
    }
    return n;
}

static inline void td_rows_list_plan(const td_domain *domain, td_plan *plan)
{
    const uint32_t batch = domain->batch > 0 ? domain->batch : 1;
    uint32_t rows = domain->tiles * batch;
    if (domain->lengths.rows != NULL) {
        rows = 0;
        for (uint32_t triangle = 0; triangle < batch; triangle++) {
            rows += td_listed_rows(domain, domain->tiles, batch, triangle);
        }
    }
    const td_launch launch = td_line_of_blocks(domain, rows, plan);
    td_plan_add(plan, launch);
}

/* The row of step k of n through a triangle; it may be one that the triangle lacks. */
static inline uint32_t td_listed_row(const td_domain *domain, uint32_t n, uint32_t rows,
                                     uint32_t triangle, uint32_t k)
{
    const td_order order = domain->order;
    if (order == TD_ORDER_GIVEN) {
        return domain->rows[k];
    }
    if (order == TD_ORDER_SHIFT && k < rows) {
        return (triangle + k) % rows;
    }
    return order == TD_ORDER_DESCENDING ? n - 1 - k : k;
}

/* An entry is the number of a row, with those of all triangles numbered one after the other, n for each. */
static inline void td_rows_list_fill(const td_domain *domain, uint32_t n, uint32_t *table)
{
    const uint32_t batch = domain->batch > 0 ? domain->batch : 1;
    const uint32_t section = td_section_of(domain, TD_USUAL_SECTION);
    for (uint32_t first = 0; first < batch; first += section) {
        const uint32_t end = first + section < batch ? first + section : batch;
        for (uint32_t k = 0; k < n; k++) {
            for (uint32_t triangle = first; triangle < end; triangle++) {
                const uint32_t rows = td_listed_rows(domain, n, batch, triangle);
                const uint32_t row = td_listed_row(domain, n, rows, triangle, k);
                if (domain->lengths.rows == NULL || row < rows) {
                    *table++ = triangle * n + row;
                }
            }
        }
    }
}

/*
 * td_rows_list_map - block b takes the triangle and the row at place b of the table: one load of 4 bytes. In sections
 * of S triangles come the first row of each of them, then the second: descending, as in rows-lpt; ascending, as in
 * rows; shifted, where triangle t begins with row t, and row 0 follows the last one; or as a file has them. Rows that a
 * triangle lacks are not in the table.
 *
 * Shape   a block per row, in one dimension
 * Exact   as rows; the table of n = 1048575 has 4 MB for each triangle
 * Source  descending and shift are orders of DASH (Qiang et al. 2026), there of the tiles of a backward pass
 */
TD_FN td_tile td_rows_list_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t entry = td_load_u32(&td_launch_table(launch)[block.x]);
    const uint32_t row = entry % launch->n;
    return td_rows_at(entry / launch->n, row, row);
}

TD_DESCRIPTOR td_strategy td_rows_list = {
    .id = TD_STRATEGY_rows_list,
    .name = "rows-list",
    .summary = "whole rows of tiles, looked up in a table, in any order (--set order=shift)",
    .source = "DASH",
    .exact_n = 1048575,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .usual_group = TD_USUAL_SECTION,
    .by_rows = true,
    .looks_rows_up = true,
    .plan = td_rows_list_plan,
    .fill_table = td_rows_list_fill,
    .block_map = td_rows_list_map,
};

#endif
