/* part.c - cuts a domain into parts and makes the grids of a part. */
#include "part.h"

#include <math.h>

const char *const td_partition_names[] = {"rows", "cells"};

/* The row of tiles with the number of cells before it that is closest to the share due. */
static uint32_t row_by_cells(const td_domain *domain, uint32_t index, uint32_t count)
{
    const double share = (double)td_triangle(domain->cells) * index / count;
    const uint64_t row = (uint64_t)((sqrt(2.0 * share + 0.25) - 0.5) / domain->tile);
    const double before = (double)td_triangle(row * domain->tile);
    const double after = (double)td_triangle((row + 1) * domain->tile);
    return (uint32_t)row + (row < domain->tiles && after - share < share - before);
}

/* The first row of tiles of part `index`. */
static uint32_t cut_row(td_partition partition, const td_domain *domain, uint32_t index,
                        uint32_t count)
{
    return partition == TD_BY_ROWS || index == count
               ? (uint32_t)((uint64_t)domain->tiles * index / count)
               : row_by_cells(domain, index, count);
}

td_part td_part_of(td_partition partition, const td_domain *domain, uint32_t index, uint32_t count)
{
    return (td_part){.first = cut_row(partition, domain, index, count),
                     .end = cut_row(partition, domain, index + 1, count)};
}

/* The first row of cells of a row of tiles, or the row after the domain's last one. */
static uint32_t row_of_cells(const td_domain *domain, uint32_t row)
{
    const uint64_t first = (uint64_t)row * domain->tile;
    return first < domain->cells ? (uint32_t)first : domain->cells;
}

td_share td_part_share(const td_domain *domain, const td_part *part)
{
    return (td_share){row_of_cells(domain, part->first), row_of_cells(domain, part->end)};
}

/* ---- grids ---- */

/* Columns [0, first) of rows [first, end), all in tiles. */
static void add_rectangle(const td_domain *domain, uint32_t first, uint32_t end, td_plan *plan)
{
    const uint64_t rows = row_of_cells(domain, end) - row_of_cells(domain, first);
    td_launch launch = td_launch_over(domain, first, end - first, 1);
    launch.origin_y = first;
    launch.rectangle = 1;
    launch.is_part = 1;
    td_plan_add(plan, launch);
    plan->cells += rows * first * domain->tile;
    plan->blocks_needed += first * td_domain_bands(domain, first, end);
}

/* The triangle to the right of the rectangle is a domain of its own, `first` tiles further down and to the right. */
static td_plan_status add_triangle(const td_strategy *strategy, const td_domain *domain,
                                   uint32_t first, uint32_t end, bool inexact, td_plan *plan)
{
    td_domain rows = *domain;
    td_plan own = {0};
    rows.cells = row_of_cells(domain, end) - row_of_cells(domain, first);
    rows.tiles = end - first;
    const td_plan_status made = td_plan_make(strategy, &rows, inexact, &own);
    for (size_t i = 0; i < own.count; i++) {
        own.launches[i].origin_x += first;
        own.launches[i].origin_y += first;
        own.launches[i].is_part = 1;
        td_plan_append(plan, &own.launches[i]);
    }
    plan->cells += own.cells;
    plan->blocks_needed += own.blocks_needed;
    td_plan_free(&own);
    return made;
}

/* Plan the rows at the cuts first: neighbours wait for them, and get them while the rest is computed. */
static td_plan_status add_rows(const td_strategy *strategy, const td_domain *domain,
                               const td_part *part, const bool edges[2], bool inexact,
                               td_plan *plan)
{
    const uint32_t inner = part->first + edges[0];
    const uint32_t inner_end = part->end - (edges[1] && part->end > inner);
    const td_part pieces[] = {{part->first, inner}, {inner_end, part->end}, {inner, inner_end}};
    td_plan_status made = TD_PLAN_MADE;
    for (size_t i = 0; i < 3 && made == TD_PLAN_MADE; i++) {
        plan->edges = i == 2 ? plan->count : 0;
        if (pieces[i].first < pieces[i].end) {
            made = add_triangle(strategy, domain, pieces[i].first, pieces[i].end, inexact, plan);
            add_rectangle(domain, pieces[i].first, pieces[i].end, plan);
        }
    }
    return made;
}

/* Whether the part is the whole domain, whose plan is the ordinary one. */
static bool is_whole(const td_domain *domain, const td_part *part)
{
    return part->first == 0 && part->end == domain->tiles;
}

td_plan_status td_plan_make_part(const td_strategy *strategy, const td_domain *domain,
                                 const td_part *part, const bool edges[2], bool inexact,
                                 td_plan *plan)
{
    if (is_whole(domain, part) && !edges[0] && !edges[1]) {
        return td_plan_make(strategy, domain, inexact, plan);
    }
    td_plan_status made = add_rows(strategy, domain, part, edges, inexact, plan);
    if (made == TD_PLAN_MADE && !plan->failed) {
        td_plan_add_table(strategy, domain, plan); /* one for all; triangles freed their own */
    }
    if (made == TD_PLAN_MADE && plan->failed) {
        made = TD_PLAN_NO_MEMORY;
    }
    if (made != TD_PLAN_MADE) {
        td_plan_free(plan);
        return made;
    }
    td_plan_count_blocks(domain, plan);
    return TD_PLAN_MADE;
}
