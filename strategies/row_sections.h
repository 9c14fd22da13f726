/*
 * row_sections.h - the arithmetic that maps of whole rows share: rows, or pairs of rows, of a batch of triangles as one
 * line of blocks.
 *
 * The triangles are taken in sections: those of a section advance together, from one row, or pair, to the next, and
 * what they read stays in the cache. The last section may have fewer triangles.
 */
#ifndef TD_STRATEGIES_ROW_SECTIONS_H
#define TD_STRATEGIES_ROW_SECTIONS_H

#include "strategy.h"

/* Triangles of a section: of heads of attention with 4,096 rows, so many have 32 MB of keys and values, which an L2 of
 * 50 MB holds. */
#define TD_USUAL_SECTION 16u

/* Triangles of a section: `section`, unless the domain says otherwise. */
static inline uint32_t td_section_of(const td_domain *domain, uint32_t section)
{
    const uint32_t batch = domain->batch > 0 ? domain->batch : 1;
    const uint32_t asked = domain->group > 0 ? domain->group : section;
    return asked < batch ? asked : batch;
}

/* Blocks in one dimension, so many in all. */
static inline td_launch td_line_of_blocks(const td_domain *domain, uint32_t blocks, td_plan *plan)
{
    td_launch launch = td_launch_over(domain, blocks, 1, 1);
    launch.width = domain->cells;
    launch.batch = domain->batch > 0 ? domain->batch : 1;
    plan->blocks_needed = (uint64_t)blocks * launch.bands;
    return launch;
}

/* `units` of them per triangle. param[0] is the number of blocks in a whole section, param[1] that of its triangles,
 * param[2] that of all triangles. */
static inline void td_sections_plan(const td_domain *domain, uint32_t units, uint32_t section,
                                    td_plan *plan)
{
    const uint32_t batch = domain->batch > 0 ? domain->batch : 1;
    td_launch launch = td_line_of_blocks(domain, units * batch, plan);
    launch.param[1] = td_section_of(domain, section);
    launch.param[0] = units * launch.param[1];
    launch.param[2] = batch;
    td_plan_add(plan, launch);
}

/* The unit and the triangle of a block: x is the triangle, y the unit. */
TD_FN td_tile td_in_section(const td_launch *launch, uint32_t block)
{
    const uint32_t section = block / launch->param[0], first = section * launch->param[1];
    const uint32_t place = block - section * launch->param[0], left = launch->param[2] - first;
    const uint32_t triangles = left < launch->param[1] ? left : launch->param[1];
    return td_tile_at(first + place % triangles, place / triangles, true);
}

/* One row of tiles, or two of them, of a triangle. */
TD_FN td_tile td_rows_at(uint32_t triangle, uint32_t row, uint32_t second)
{
    td_tile rows = td_tile_at(triangle, row, true);
    rows.z = second;
    return rows;
}

#endif
