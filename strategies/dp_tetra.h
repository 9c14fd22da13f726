/* dp-tetra - dynamic parallelism in 3D: a tree of boxes, each launched by the one above it. */
#ifndef TD_STRATEGIES_DP_TETRA_H
#define TD_STRATEGIES_DP_TETRA_H

#include "dp.h"

/* A tetrahedron of side n at an origin with x + y = z, so that the domain's own test is its test
 * [tiles]. */
typedef struct td_tetra_node {
    uint32_t x, y, z;
    uint32_t n;
} td_tetra_node;

/* The side of a node's first child, 0 when the node is a leaf. `leaf` is in tiles, at least 1. */
TD_FN uint32_t td_dp_tetra_split(td_tetra_node node, uint32_t leaf)
{
    return node.n <= leaf ? 0 : (node.n + 1) / 2;
}

/*
 * Child 0, 1 or 2: what lies below the node's box, to its right and behind it.
 *
 * {x + y <= z < n} with z < s is a smaller one; with z >= s either x >= s, or y >= s, or the cell
 * is in the box.
 */
TD_FN td_tetra_node td_dp_tetra_child(td_tetra_node node, uint32_t split, uint32_t which)
{
    td_tetra_node child = node;
    child.n = which == 0 ? split : node.n - split;
    child.x += which == 1 ? split : 0;
    child.y += which == 2 ? split : 0;
    child.z += which == 0 ? 0 : split;
    return child;
}

/*
 * The box of a node: [0, s) x [0, s) x [s, n) between its children, for a leaf the bounding box of
 * all of it.
 *
 * Output  param: first tile x, y, z
 */
TD_FN td_launch td_dp_tetra_box(td_launch launch, td_tetra_node node, uint32_t split)
{
    launch.param[0] = node.x;
    launch.param[1] = node.y;
    launch.param[2] = node.z + split;
    launch.grid.x = split > 0 ? split : node.n;
    launch.grid.y = launch.grid.x;
    launch.grid.z = node.n - split;
    return launch;
}

static inline void td_dp_tetra_visit(const td_domain *domain, td_tetra_node node, td_plan *plan)
{
    const uint32_t split = td_dp_tetra_split(node, td_dp_leaf(domain));
    td_plan_add(plan, td_dp_tetra_box(td_launch_over(domain, 1, 1, 1), node, split));
    for (uint32_t c = 0; c < 3 && split > 0 && !plan->failed; c++) {
        td_dp_tetra_visit(domain, td_dp_tetra_child(node, split, c), plan);
    }
}

/* The boxes of the whole tree, parents first. */
static inline void td_dp_tetra_plan(const td_domain *domain, td_plan *plan)
{
    const td_tetra_node root = {0, 0, 0, domain->tiles};
    td_dp_tetra_visit(domain, root, plan);
}

/*
 * td_dp_tetra_map - block (x, y, z) of a box, from the box's corner.
 *
 * Shape   one box a node, (3^k - 1) / 2 of them above 3^k leaves; leaves waste five sixths, the
 *         others at most a sixth
 * Exact   for n <= 65535, the most rows of a grid: a device cannot cut a grid in pieces
 * Source  Gonzalez and Navarro, tetrahedral domains, section IV; the recursion is corrected, for
 *         theirs as printed ends at once, halves the side before it is used as an offset, and
 *         misses up to 29 % of the domain
 */
TD_FN td_tile td_dp_tetra_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile;
    tile.x = launch->param[0] + block.x;
    tile.y = launch->param[1] + block.y;
    tile.z = launch->param[2] + block.z;
    tile.active = tile.x + tile.y <= tile.z;
    return tile;
}

#endif
