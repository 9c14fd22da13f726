/* tree.c - launching the root of a tree of kernels. */
#include "../../strategies/dp.h"
#include "cuda.h"
#include "tree.h"

/* cudaLimitDevRuntimePendingLaunchCount starts at 2048; room for the whole tree, since all of it may pend at once. */
td_status td_cuda_tree_prepare(const td_job *job, td_error *error)
{
    size_t pending = 0;
    TRY_CUDA(error, cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
    if (pending < job->plan->count) {
        TRY_CUDA(error,
                 cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, job->plan->count));
    }
    return TD_OK;
}

td_status td_cuda_tree(const td_cuda_engine *cuda, const td_job *job, const td_data *data,
                       td_error *error)
{
    const td_launch *root = &job->plan->launches[0];
    const uint32_t leaf_cells = job->cutoff / root->tile;
    uint32_t leaf = leaf_cells > 0 ? leaf_cells : 1;
    td_dp_node node = {0, root->n};
    td_launch launch = *root;
    td_data copy = *data;
    void *arguments[] = {&launch, &copy, &node, &leaf};
    const dim3 grid = {root->grid.x, root->grid.y, 1};
    const dim3 block = {root->block.x, root->block.y, 1};
    return TD_CUDA(error, cudaLaunchKernel(td_tree_2d_kernel(job->workload->id), grid, block,
                                           arguments, 0, cuda->stream));
}
