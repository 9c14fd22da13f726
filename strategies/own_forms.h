/*
 * own_forms.h - what the least forms of a map from a file leave out. It is included after the file, with the name of
 * its function as TD_OWN_PAIR, TD_OWN_TRIPLE or TD_OWN_BOX, and completes it to td_mine and td_mine_map.
 */
#ifndef TD_STRATEGIES_OWN_FORMS_H
#define TD_STRATEGIES_OWN_FORMS_H

#include "own.h"

#ifdef TD_OWN_BOX
#define td_mine_map TD_OWN_BOX
enum { TD_OWN_DIMENSION = 2 };

static inline void td_mine_plan(const td_domain *domain, td_plan *plan)
{
    td_plan_add(plan, td_launch_over(domain, domain->tiles, domain->tiles, 1));
}
#else

/* Blocks along x while their number fits 32 bits, and then in rows of 2^20. param[0], param[1]: how many have a tile;
 * param[2]: in a row. */
static inline void td_own_line(const td_domain *domain, uint64_t count, td_plan *plan)
{
    const uint32_t in_row = count <= UINT32_MAX ? (uint32_t)count : 1u << 20;
    const uint64_t rows = (count + in_row - 1) / in_row;
    td_launch launch = td_launch_over(domain, in_row, (uint32_t)rows, 1);
    launch.param[0] = (uint32_t)count;
    launch.param[1] = (uint32_t)(count >> 32);
    launch.param[2] = in_row;
    td_plan_add(plan, launch);
}

TD_FN uint64_t td_own_index(const td_launch *launch, td_dim3 block)
{
    return (uint64_t)block.y * launch->param[2] + block.x;
}

TD_FN bool td_own_has_tile(const td_launch *launch, uint64_t index)
{
    return index < ((uint64_t)launch->param[1] << 32 | launch->param[0]);
}

#ifdef TD_OWN_PAIR
enum { TD_OWN_DIMENSION = 2 };

static inline void td_mine_plan(const td_domain *domain, td_plan *plan)
{
    td_own_line(domain, td_triangle(domain->tiles), plan);
}

TD_FN td_tile td_mine_map(const td_launch *launch, td_dim3 block)
{
    const uint64_t index = td_own_index(launch, block);
    const td_pair at = TD_OWN_PAIR(index, launch->n);
    return td_tile_at(at.col, at.row, td_own_has_tile(launch, index));
}
#else
enum { TD_OWN_DIMENSION = 3 };

static inline void td_mine_plan(const td_domain *domain, td_plan *plan)
{
    td_own_line(domain, td_tetrahedron(domain->tiles), plan);
}

TD_FN td_tile td_mine_map(const td_launch *launch, td_dim3 block)
{
    const uint64_t index = td_own_index(launch, block);
    const td_triple at = TD_OWN_TRIPLE(index, launch->n);
    td_tile tile;
    tile.x = at.k;
    tile.y = at.j - at.k;
    tile.z = at.i;
    tile.active = td_own_has_tile(launch, index);
    return tile;
}
#endif
#endif

TD_DESCRIPTOR td_strategy td_mine = {
    .dimension = TD_OWN_DIMENSION,
    .unit = TD_MAPS_BLOCKS,
    .plan = td_mine_plan,
    .block_map = td_mine_map,
};

#endif
