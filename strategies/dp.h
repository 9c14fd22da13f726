/* dp - dynamic parallelism in 2D: a tree of rectangles; on a GPU each node launches its children. */
#ifndef TD_STRATEGIES_DP_H
#define TD_STRATEGIES_DP_H

#include "tree.h"

/* Child 0 or 1: the triangles above and below the node's box. Nodes lie on the diagonal: x = y, z = 0. */
TD_FN td_node td_dp_child(td_node node, uint32_t split, uint32_t which)
{
    td_node child = node;
    child.n = which == 0 ? split : node.n - split;
    child.x += which == 0 ? 0 : split;
    child.y += which == 0 ? 0 : split;
    return child;
}

/*
 * The box of a node: for a leaf the bounding box of its triangle, else the rectangle [split, n) x [0, split) below
 * its first child. param: first column and row.
 */
TD_FN td_launch td_dp_box(td_launch launch, td_node node, uint32_t split)
{
    launch.param[0] = node.x;
    launch.param[1] = node.y + split;
    launch.grid.x = split > 0 ? split : node.n;
    launch.grid.y = node.n - split;
    launch.grid.z = 1;
    return launch;
}

TD_DESCRIPTOR td_tree td_dp_tree = {
    .children = 2,
    .child = td_dp_child,
    .box = td_dp_box,
};

static inline void td_dp_plan(const td_domain *domain, td_plan *plan)
{
    td_tree_plan(&td_dp_tree, domain, plan);
}

/*
 * td_dp_map - block (x, y) of a box, from the box's corner.
 *
 * Shape   one box per node; only leaves waste blocks
 * Exact   for n <= 65535, the most rows of a grid: a device cannot cut a grid in pieces
 * Source  the conclusion of Navarro and Hitschfeld, triangular domains, expects this of recursive launches; the
 *         decomposition is ours
 */
TD_FN td_tile td_dp_map(const td_launch *launch, td_dim3 block)
{
    const uint32_t x = launch->param[0] + block.x, y = launch->param[1] + block.y;
    return td_tile_at(x, y, x <= y);
}

TD_DESCRIPTOR td_strategy td_dp = {
    .id = TD_STRATEGY_dp,
    .name = "dp",
    .summary = "dynamic parallelism: rectangles launched from the device",
    .source = "recursive launches, after Navarro & Hitschfeld, section V",
    .exact_n = 65535,
    .dimension = 2,
    .unit = TD_MAPS_BLOCKS,
    .uses_cutoff = true,
    .plan = td_dp_plan,
    .block_map = td_dp_map,
    .tree = &td_dp_tree,
};

#endif
