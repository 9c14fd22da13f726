/* part.c - cuts a domain into parts and makes the grids of a part. */
#include "part.h"

const char *const td_partition_names[] = {"rows", "cells", "blocks"};

/* The first row of tiles of part `index`: the cut whose number of cells before it is closest to the share due. */
static uint32_t row_by_cells(const td_domain *domain, uint32_t index, uint32_t count)
{
    const uint32_t n = domain->tiles;
    const double share = (double)td_triangle(domain->cells) * index / count;
    uint32_t low = 0, high = n; /* the last row with at most `share` cells before it */
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if ((double)td_triangle((uint64_t)middle * domain->tile) <= share) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    const double before = (double)td_triangle((uint64_t)low * domain->tile);
    const double after = (double)td_triangle((uint64_t)(low + 1) * domain->tile);
    return low < n && after - share < share - before ? low + 1 : low;
}

static uint32_t cut_row(td_partition partition, const td_domain *domain, uint32_t index,
                        uint32_t count)
{
    if (index == 0 || index == count) {
        return index == 0 ? 0 : domain->tiles;
    }
    return partition == TD_BY_ROWS ? (uint32_t)((uint64_t)domain->tiles * index / count)
                                   : row_by_cells(domain, index, count);
}

/* The row of tile L: rows before it have T(row) tiles. */
static uint32_t row_of_tile(uint64_t tile)
{
    uint64_t low = 0, high = (uint64_t)1 << 32;
    while (low + 1 < high) {
        const uint64_t middle = low + (high - low) / 2;
        *(td_triangle(middle) <= tile ? &low : &high) = middle;
    }
    return (uint32_t)low;
}

static td_part part_by_blocks(const td_domain *domain, uint32_t index, uint32_t count)
{
    const uint64_t tiles = td_triangle(domain->tiles); /* at most 2^39: the products fit */
    td_part part = {.by_blocks = true};
    part.first_tile = tiles * index / count;
    part.end_tile = tiles * (index + 1) / count;
    part.first = row_of_tile(part.first_tile);
    part.end = part.end_tile > part.first_tile ? row_of_tile(part.end_tile - 1) + 1 : part.first;
    return part;
}

td_part td_part_of(td_partition partition, const td_domain *domain, uint32_t index, uint32_t count)
{
    if (partition == TD_BY_BLOCKS) {
        return part_by_blocks(domain, index, count);
    }
    td_part part = {.first = cut_row(partition, domain, index, count),
                    .end = cut_row(partition, domain, index + 1, count)};
    part.first_tile = td_triangle(part.first);
    part.end_tile = td_triangle(part.end);
    return part;
}

static uint32_t least(uint64_t a, uint32_t b)
{
    return a < b ? (uint32_t)a : b;
}

td_share td_part_share(const td_domain *domain, const td_part *part)
{
    const uint64_t side = domain->tile;
    td_share share = td_share_all(domain->cells);
    share.first_row = least(part->first * side, domain->cells);
    share.end_row = least(part->end * side, domain->cells);
    share.tail_row = share.end_row;
    if (part->by_blocks && part->first < part->end) {
        const uint64_t last = part->end - 1;
        share.head_end = least((part->first + 1) * side, domain->cells);
        share.head_col = (uint32_t)((part->first_tile - td_triangle(part->first)) * side);
        share.tail_row = least(last * side, domain->cells);
        share.tail_col = least((part->end_tile - td_triangle(last)) * side, domain->cells);
    }
    return share;
}

/* ---- grids ---- */

/* Columns [0, columns) of rows [first, end), all in tiles. */
static void add_rectangle(const td_domain *domain, uint32_t columns, uint32_t first, uint32_t end,
                          td_plan *plan)
{
    td_launch launch = td_launch_over(domain, columns, end - first, 1);
    launch.origin_y = first;
    launch.rectangle = 1;
    launch.is_part = 1;
    td_plan_add(plan, launch);
}

/* The triangle to the right of the rectangle is a domain of its own, `first` tiles further down and to the right. */
static td_plan_status add_triangle(const td_strategy *strategy, const td_domain *domain,
                                   uint32_t first, uint32_t end, bool inexact, td_plan *plan)
{
    td_domain rows = *domain;
    td_plan own = {0};
    rows.cells = least((uint64_t)end * domain->tile, domain->cells) - first * domain->tile;
    rows.tiles = end - first;
    const td_plan_status made = td_plan_make(strategy, &rows, inexact, &own);
    for (size_t i = 0; made == TD_PLAN_MADE && i < own.count; i++) {
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

static td_plan_status add_rows(const td_strategy *strategy, const td_domain *domain, uint32_t first,
                               uint32_t end, bool inexact, td_plan *plan)
{
    if (first >= end) {
        return TD_PLAN_MADE;
    }
    const td_plan_status made = add_triangle(strategy, domain, first, end, inexact, plan);
    const uint64_t rows = least((uint64_t)end * domain->tile, domain->cells) - first * domain->tile;
    add_rectangle(domain, first, first, end, plan);
    plan->cells += rows * first * domain->tile;
    plan->blocks_needed += first * td_domain_bands(domain, first, end);
    return made;
}

/* Plan the rows at the cuts first: neighbours wait for them, and get them while the rest is computed. */
static td_plan_status plan_rows(const td_strategy *strategy, const td_domain *domain,
                                const td_part *part, const bool edges[2], bool inexact,
                                td_plan *plan)
{
    const bool is_one = part->end - part->first == 1;
    uint32_t first = part->first, end = part->end;
    td_plan_status made = TD_PLAN_MADE;
    if (edges[0]) {
        made = add_rows(strategy, domain, first, first + 1, inexact, plan);
        first++;
    }
    if (made == TD_PLAN_MADE && edges[1] && !(edges[0] && is_one)) {
        made = add_rows(strategy, domain, end - 1, end, inexact, plan);
        end--;
    }
    plan->edges = plan->count;
    return made == TD_PLAN_MADE ? add_rows(strategy, domain, first, end, inexact, plan) : made;
}

static td_plan_status plan_blocks(const td_strategy *strategy, const td_domain *domain,
                                  const td_part *part, bool inexact, td_plan *plan)
{
    const td_share share = td_part_share(domain, part);
    if (!inexact && !td_plan_is_in_range(strategy, domain)) {
        return TD_PLAN_BEYOND_RANGE;
    }
    strategy->plan_range(domain, part->first_tile, part->end_tile, plan);
    for (size_t i = 0; i < plan->count; i++) {
        plan->launches[i].n = td_strategy_n(strategy, domain);
    }
    plan->blocks_needed = part->end_tile - part->first_tile;
    for (uint32_t row = share.first_row; row < share.end_row; row++) {
        const uint32_t columns = domain->no_diagonal ? row : row + 1;
        plan->cells += td_share_end(&share, row, columns) - td_share_begin(&share, row, columns);
    }
    return TD_PLAN_MADE;
}

/* Whether the part is the whole domain, whose plan is the ordinary one. */
static bool is_whole(const td_domain *domain, const td_part *part)
{
    return part->first_tile == 0 && part->end_tile == td_triangle(domain->tiles);
}

td_plan_status td_plan_make_part(const td_strategy *strategy, const td_domain *domain,
                                 const td_part *part, const bool edges[2], bool inexact,
                                 td_plan *plan)
{
    if (is_whole(domain, part) && !edges[0] && !edges[1]) {
        return td_plan_make(strategy, domain, inexact, plan);
    }
    td_plan_status made = part->first_tile == part->end_tile ? TD_PLAN_MADE
                          : part->by_blocks
                              ? plan_blocks(strategy, domain, part, inexact, plan)
                              : plan_rows(strategy, domain, part, edges, inexact, plan);
    if (made == TD_PLAN_MADE && !plan->failed) {
        td_plan_add_table(strategy, plan); /* one for all launches; triangles freed their own */
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
