/* dp - dynamic parallelism in 2D: a tree of rectangles; on a GPU each node launches its children. */
#ifndef TD_STRATEGIES_DP_H
#define TD_STRATEGIES_DP_H

#include "strategy.h"

/* A triangle on the diagonal: rows and columns origin .. origin + n - 1 [tiles]. */
typedef struct td_dp_node {
    uint32_t origin;
    uint32_t n;
} td_dp_node;

/* The side of the first of a node's two triangles, 0 when the node is a leaf. `leaf` is in tiles. */
TD_FN uint32_t td_dp_split(td_dp_node node, uint32_t leaf)
{
    return node.n <= leaf ? 0 : (node.n + 1) / 2;
}

/* Leaf size in tiles: the cutoff in cells, at least one tile. */
static inline uint32_t td_dp_leaf(const td_domain *domain)
{
    const uint32_t leaf = domain->cutoff / domain->tile;
    return leaf > 0 ? leaf : 1;
}

/*
 * The box of a node: for a leaf the bounding box of its triangle, else the rectangle [split, n) x [0, split) below
 * its first child. param: first column and row.
 */
TD_FN td_launch td_dp_box(td_launch launch, td_dp_node node, uint32_t split)
{
    launch.param[0] = node.origin;
    launch.param[1] = node.origin + split;
    launch.grid.x = split > 0 ? split : node.n;
    launch.grid.y = node.n - split;
    launch.grid.z = 1;
    return launch;
}

static inline void td_dp_visit(const td_domain *domain, td_dp_node node, td_plan *plan)
{
    const uint32_t split = td_dp_split(node, td_dp_leaf(domain));
    td_plan_add(plan, td_dp_box(td_launch_over(domain, 1, 1, 1), node, split));
    if (split > 0) {
        const td_dp_node first = {node.origin, split};
        const td_dp_node second = {node.origin + split, node.n - split};
        td_dp_visit(domain, first, plan);
        td_dp_visit(domain, second, plan);
    }
}

/* The boxes of the whole tree, parents first. */
static inline void td_dp_plan(const td_domain *domain, td_plan *plan)
{
    const td_dp_node root = {0, domain->tiles};
    td_dp_visit(domain, root, plan);
}

/*
 * td_dp_map - block (x, y) of a box, from the box's corner.
 *
 * Shape   one box a node; only leaves waste blocks
 * Exact   for n <= 65535, the most rows of a grid: a device cannot cut a grid in pieces
 * Source  the conclusion of Navarro and Hitschfeld, triangular domains, expects it of recursive launches; the
 *         decomposition is ours
 */
TD_FN td_tile td_dp_map(const td_launch *launch, td_dim3 block)
{
    td_tile tile;
    tile.x = launch->param[0] + block.x;
    tile.y = launch->param[1] + block.y;
    tile.z = 0;
    tile.active = tile.x <= tile.y;
    return tile;
}

#endif
