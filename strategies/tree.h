/* tree.h - shared by all trees of boxes: where a node is split, and the plan with the boxes of all nodes. */
#ifndef TD_STRATEGIES_TREE_H
#define TD_STRATEGIES_TREE_H

#include "strategy.h"

/* Leaf size in tiles: the cutoff in cells, at least one tile. */
TD_FN uint32_t td_tree_leaf(uint32_t cutoff, uint32_t tile)
{
    return cutoff >= tile ? cutoff / tile : 1;
}

/* The side of a node's first child, 0 when the node is a leaf. `leaf` is in tiles, at least 1. */
TD_FN uint32_t td_tree_split(td_node node, uint32_t leaf)
{
    return node.n <= leaf ? 0 : (node.n + 1) / 2;
}

/* The whole domain. */
TD_FN td_node td_tree_root(uint32_t n)
{
    td_node root;
    root.x = 0;
    root.y = 0;
    root.z = 0;
    root.n = n;
    return root;
}

static inline void td_tree_add(const td_tree *tree, const td_domain *domain, td_node node,
                               td_plan *plan)
{
    const uint32_t split = td_tree_split(node, td_tree_leaf(domain->cutoff, domain->tile));
    td_plan_add(plan, tree->box(td_launch_over(domain, 1, 1, 1), node, split));
    for (uint32_t c = 0; c < tree->children && split > 0 && !plan->failed; c++) {
        td_tree_add(tree, domain, tree->child(node, split, c), plan);
    }
}

/* The boxes of the whole tree, parents first. */
static inline void td_tree_plan(const td_tree *tree, const td_domain *domain, td_plan *plan)
{
    td_tree_add(tree, domain, td_tree_root(domain->tiles), plan);
}

#endif
