/* tree.c - launches the root of a tree of kernels. */
#include "tree.h"

#include "choice.h"
#include "cuda.h"
#include "strategies/tree.h"

/*
 * cudaLimitDevRuntimePendingLaunchCount starts at 2048. The whole tree may be pending at once, so there must be room
 * for all of it. In 3D the inner nodes have kernels besides the boxes of the plan, fewer than half as many.
 */
td_status td_cuda_tree_prepare(const td_execution *execution, td_error *error)
{
    const size_t wanted = execution->plan->count * 2;
    size_t pending = 0;
    TRY_CUDA(error, cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
    if (pending < wanted) {
        TRY_CUDA(error, cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, wanted));
        TRY_CUDA(error, cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
    }
    return pending >= wanted
               ? TD_OK
               : td_fail(error, TD_FAILED,
                         "%s needs room for %zu pending launches, the device has %zu: "
                         "a larger --cutoff needs fewer",
                         execution->strategy->name, wanted, pending);
}

static td_tree_kind kind_of(const td_execution *execution)
{
    const td_launch *root = &execution->plan->launches[0];
    if (execution->kernel == TD_KERNEL_LOOP) {
        return TD_TREE_LOOP;
    }
    if (!td_cuda_is_eight(root)) {
        return TD_TREE_CELL;
    }
    return execution->data.full ? TD_TREE_EIGHT_FULL : TD_TREE_EIGHT_PACKED;
}

td_status td_cuda_tree(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_data *data, td_error *error)
{
    const td_launch *root = &execution->plan->launches[0];
    const td_strategy *strategy = execution->strategy;
    const uint32_t workload = td_workload_id(execution->workload);
    const uint32_t row = td_workload_row(execution->workload);
    uint32_t leaf = td_tree_leaf(execution->cutoff, root->tile);
    td_node node = td_tree_root(root->n);
    td_launch launch = *root;
    td_data copy = *data;
    void *arguments[] = {&launch, &copy, &node, &leaf};
    if (strategy->dimension == 3) {
        const dim3 one = {1, 1, 1}, warps = {32 * (1 + strategy->tree->children), 1, 1};
        const void *kernel = td_tree_3d_kernel(strategy->id, workload, row, kind_of(execution));
        return TD_CUDA(error, cudaLaunchKernel(kernel, one, warps, arguments, 0, cuda->stream));
    }
    const dim3 grid = {root->grid.x, root->grid.y, 1};
    const dim3 block = {root->block.x, root->block.y, 1};
    const void *kernel = td_tree_2d_kernel(strategy->id, workload, row);
    return TD_CUDA(error, cudaLaunchKernel(kernel, grid, block, arguments, 0, cuda->stream));
}
