/* tree.c - launches the root of a tree of kernels. */
#include "choice.h"
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

/*
 * A tree's kernel takes (td_launch, td_data, td_node, uint32_t leaf [tiles]). In 2D its grid is the box of the root. In
 * 3D the root is one block: one warp for its box and one per child.
 */
td_status td_cuda_tree(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_data *data, td_error *error)
{
    const td_launch *root = &execution->plan->launches[0];
    const td_strategy *strategy = execution->strategy;
    const void *kernel = td_cuda_kernel(cuda, execution, root);
    uint32_t leaf = td_tree_leaf(execution->cutoff, root->tile);
    td_node node = td_tree_root(root->n);
    td_launch launch = *root;
    td_data copy = *data;
    void *arguments[] = {&launch, &copy, &node, &leaf};
    if (strategy->dimension == 3) {
        const dim3 one = {1, 1, 1}, warps = {32 * (1 + strategy->tree->children), 1, 1};
        return TD_CUDA(error, cudaLaunchKernel(kernel, one, warps, arguments, 0, cuda->stream));
    }
    const dim3 grid = {root->grid.x, root->grid.y, 1};
    const dim3 block = {root->block.x, root->block.y, 1};
    return TD_CUDA(error, cudaLaunchKernel(kernel, grid, block, arguments, 0, cuda->stream));
}
