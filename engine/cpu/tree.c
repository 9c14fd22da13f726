/* tree.c - trees of boxes as OpenMP tasks. */
#include "tree.h"

#include "strategies/tree.h"

/* State shared by all nodes of a tree. */
typedef struct tree {
    const td_tree *shape;
    const td_data *data;
    td_cpu_walk_fn *walk;
    const td_cpu_work *work;
    td_launch launch; /* of the root; every node has its block and tile */
    uint32_t leaf;    /* [tiles] */
} tree;

/* Rows of blocks per task: the root's box alone is half of the work, so boxes are divided as well. */
enum { ROWS = 64 };

static void run_rows(const tree *t, const td_launch *box, uint64_t first, uint64_t end)
{
    t->walk(box, t->data, t->work, first * box->grid.x, end * box->grid.x);
}

static void run_box(const tree *t, td_launch box)
{
    const uint64_t rows = (uint64_t)box.grid.y * box.grid.z;
    for (uint64_t first = 0; first < rows; first += ROWS) {
        const uint64_t end = rows - first < ROWS ? rows : first + ROWS;
#pragma omp task firstprivate(t, box, first, end)
        run_rows(t, &box, first, end);
    }
}

static void run_node(const tree *t, td_node node)
{
    const uint32_t split = td_tree_split(node, t->leaf);
    for (uint32_t c = 0; c < t->shape->children && split > 0; c++) {
        const td_node child = t->shape->child(node, split, c);
#pragma omp task firstprivate(t, child)
        run_node(t, child);
    }
    run_box(t, t->shape->box(t->launch, node, split));
}

void td_cpu_tree(const td_execution *execution, const td_data *data, td_cpu_walk_fn *walk,
                 const td_cpu_work *work, int threads)
{
    const td_launch *root = &execution->plan->launches[0];
    const tree t = {execution->strategy->tree,
                    data,
                    walk,
                    work,
                    *root,
                    td_tree_leaf(execution->cutoff, root->tile)};
#pragma omp parallel num_threads(threads)
#pragma omp single
    run_node(&t, td_tree_root(root->n));
}
