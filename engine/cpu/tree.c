/* tree.c - trees of boxes as OpenMP tasks. */
#include "strategies/dp_tetra.h"
#include "check_3d.h"

/* What all nodes of a tree share. */
typedef struct tree {
    const td_data *data;
    td_cpu_block_fn *block_fn;
    td_launch launch; /* of the root: block and tile are those of every node */
    uint32_t leaf;    /* [tiles] */
} tree;

/* Rows of blocks in one task: the root alone is half of the work, so that boxes are divided, too. */
enum { ROWS = 64 };

static void run_rows(const tree *t, const td_launch *box, uint64_t first, uint64_t end)
{
    for (uint64_t row = first; row < end; row++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there are no rows where grid.y is 0 */
        td_dim3 block = {0, (uint32_t)(row % box->grid.y), (uint32_t)(row / box->grid.y)};
        for (; block.x < box->grid.x; block.x++) {
            t->block_fn(box, t->data, block);
        }
    }
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

static void visit_triangle(const tree *t, td_dp_node node)
{
    const uint32_t split = td_dp_split(node, t->leaf);
    if (split > 0) {
        const td_dp_node children[2] = {{node.origin, split},
                                        {node.origin + split, node.n - split}};
        for (uint32_t c = 0; c < 2; c++) {
            const td_dp_node child = children[c];
#pragma omp task firstprivate(t, child)
            visit_triangle(t, child);
        }
    }
    run_box(t, td_dp_box(t->launch, node, split));
}

static void visit_tetrahedron(const tree *t, td_tetra_node node)
{
    const uint32_t split = td_dp_tetra_split(node, t->leaf);
    for (uint32_t c = 0; c < 3 && split > 0; c++) {
        const td_tetra_node child = td_dp_tetra_child(node, split, c);
#pragma omp task firstprivate(t, child)
        visit_tetrahedron(t, child);
    }
    run_box(t, td_dp_tetra_box(t->launch, node, split));
}

void td_cpu_tree(const td_execution *execution, const td_data *data, td_cpu_block_fn *block_fn,
                 int threads)
{
    const td_launch *root = &execution->plan->launches[0];
    const td_dp_node triangle = {0, root->n};
    const td_tetra_node tetrahedron = {0, 0, 0, root->n};
    const uint32_t leaf = execution->cutoff / root->tile;
    const tree t = {data, block_fn, *root, leaf > 0 ? leaf : 1};
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        if (execution->strategy->dimension == 3) {
            visit_tetrahedron(&t, tetrahedron);
        } else {
            visit_triangle(&t, triangle);
        }
    }
}
