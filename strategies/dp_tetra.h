/* dp-tetra - dynamic parallelism in 3D: a tree of boxes, each launched by the one above it. */
#ifndef TD_STRATEGIES_DP_TETRA_H
#define TD_STRATEGIES_DP_TETRA_H

#include "tree.h"

/*
 * Child 0, 1 or 2: the parts below the node's box, to its right and behind it.
 *
 * Nodes lie on the plane x + y = z, so the domain's own test also works for them.
 *
 * The part of {x + y <= z < n} with z < s is a smaller tetrahedron; with z >= s either x >= s, or y >= s, or the cell
 * is in the box.
 */
TD_FN td_node td_dp_tetra_child(td_node node, uint32_t split, uint32_t which)
{
    td_node child = node;
    child.n = which == 0 ? split : node.n - split;
    child.x += which == 1 ? split : 0;
    child.y += which == 2 ? split : 0;
    child.z += which == 0 ? 0 : split;
    return child;
}

/*
 * The box of a node: [0, s) x [0, s) x [s, n) between its children; for a leaf, its whole bounding box.
 *
 * Output  param: first tile x, y, z
 */
TD_FN td_launch td_dp_tetra_box(td_launch launch, td_node node, uint32_t split)
{
    launch.param[0] = node.x;
    launch.param[1] = node.y;
    launch.param[2] = node.z + split;
    launch.grid.x = split > 0 ? split : node.n;
    launch.grid.y = launch.grid.x;
    launch.grid.z = node.n - split;
    return launch;
}

TD_DESCRIPTOR td_tree td_dp_tetra_tree = {
    .children = 3,
    .child = td_dp_tetra_child,
    .box = td_dp_tetra_box,
};

static inline void td_dp_tetra_plan(const td_domain *domain, td_plan *plan)
{
    td_tree_plan(&td_dp_tetra_tree, domain, plan);
}

/*
 * td_dp_tetra_map - block (x, y, z) of a box, from the box's corner.
 *
 * Shape   one box per node, (3^k - 1) / 2 of them above 3^k leaves; leaves waste five sixths, the
 *         others at most a sixth
 * Exact   for n <= 65535, the most rows of a grid: a device cannot cut a grid in pieces
 * Source  Gonzalez and Navarro, tetrahedral domains, section IV; the recursion is corrected, because the printed one
 *         ends at once, halves the side before it is used as an offset, and misses up to 29 % of the domain
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

TD_DESCRIPTOR td_strategy td_dp_tetra = {
    .id = TD_STRATEGY_dp_tetra,
    .name = "dp-tetra",
    .summary = "dynamic parallelism in 3D: boxes launched from the device",
    .source = "Gonzalez & Navarro, tetrahedral domains, section IV, corrected",
    .exact_n = 65535,
    .dimension = 3,
    .unit = TD_MAPS_BLOCKS,
    .uses_cutoff = true,
    .plan = td_dp_tetra_plan,
    .block_map = td_dp_tetra_map,
    .tree = &td_dp_tetra_tree,
};

#endif
