/* launch.c - from a job to kernel launches, one by one or as a graph. */
#include <stdlib.h>

#include "cuda.h"

static bool is_cut(const td_launch *launch)
{
    return (launch->first.x | launch->first.y | launch->first.z) != 0;
}

/* Block maps walk in the loop kernel; a thread map has a kernel of its own in its place. */
static bool walks(const td_job *job, const td_launch *launch)
{
    return job->strategy->unit == TD_MAPS_BLOCKS &&
           (job->kernel == TD_KERNEL_LOOP || job->schedule == TD_SCHEDULE_PERSISTENT ||
            is_cut(launch));
}

static const void *kernel_of(const td_job *job, const td_launch *launch)
{
    const bool square = job->workload->has_domains && job->data.full != 0;
    if (job->kernel == TD_KERNEL_TILE) {
        const td_tiles *tiles = td_tiles_of(job->workload);
        return square ? tiles->square : tiles->tile[job->strategy->id];
    }
    const td_kernels *kernels = td_kernels_of(job->workload);
    if (square || kernels == NULL) {
        return square ? td_automaton_of(job->workload)->square : NULL;
    }
    const uint32_t s = job->strategy->id;
    if (walks(job, launch) || is_cut(launch)) {
        return kernels->loop[s];
    }
    const bool packed = job->data.row_a == TD_PACKED_ROW_A && job->data.row_b == TD_PACKED_ROW_B;
    return packed ? kernels->packed[s] : kernels->cell[s];
}

/* The loop kernel takes a one-dimensional grid: as many blocks as there are, or as fit on the device at once. */
static td_status loop_grid(const td_cuda_engine *cuda, const td_job *job, td_cuda_launch *out,
                           td_error *error)
{
    const uint64_t blocks = (uint64_t)out->launch.grid.x * out->launch.grid.y * out->launch.grid.z;
    uint64_t limit = 2147483647u;
    if (job->schedule == TD_SCHEDULE_PERSISTENT) {
        int resident = 0;
        const unsigned threads = out->block.x * out->block.y * out->block.z;
        TRY_CUDA(error, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, out->kernel,
                                                                      (int)threads, 0));
        limit = (uint64_t)resident * (uint64_t)cuda->sms;
    }
    out->grid.x = (unsigned)(blocks < limit ? blocks : limit);
    out->grid.y = 1;
    out->grid.z = 1;
    return TD_OK;
}

td_status td_cuda_bind(const td_cuda_engine *cuda, const td_job *job, const td_launch *launch,
                       const td_data *data, td_cuda_launch *out, td_error *error)
{
    out->kernel = kernel_of(job, launch);
    if (out->kernel == NULL) {
        return td_fail(error, TD_FAILED, "there is no kernel for %s on %s", job->workload->name,
                       job->strategy->name);
    }
    out->launch = *launch;
    out->data = *data;
    out->arguments[0] = &out->launch;
    out->arguments[1] = &out->data;
    out->grid.x = launch->grid.x;
    out->grid.y = launch->grid.y;
    out->grid.z = launch->grid.z;
    out->block.x = launch->block.x;
    out->block.y = launch->block.y;
    out->block.z = launch->block.z;
    const bool square = job->workload->has_domains && job->data.full != 0;
    if (!square && job->kernel != TD_KERNEL_TILE && walks(job, launch)) {
        return loop_grid(cuda, job, out, error);
    }
    return TD_OK;
}

td_status td_cuda_enqueue(const td_cuda_engine *cuda, const td_job *job, td_error *error)
{
    for (uint32_t step = 0; step < job->steps; step++) {
        const td_data data = td_job_step(job, step);
        if (job->strategy->tree) {
            TRY(td_cuda_tree(cuda, job, &data, error));
            continue;
        }
        for (size_t i = 0; i < job->plan->count; i++) {
            td_cuda_launch l;
            TRY(td_cuda_bind(cuda, job, &job->plan->launches[i], &data, &l, error));
            TRY_CUDA(error,
                     cudaLaunchKernel(l.kernel, l.grid, l.block, l.arguments, 0, cuda->stream));
        }
    }
    return TD_CUDA(error, cudaGetLastError());
}

/* The nodes of one step, all after `*last`; `*last` becomes the node that follows all of them. */
static td_status add_step(const td_cuda_engine *cuda, const td_job *job, const td_data *data,
                          cudaGraph_t graph, cudaGraphNode_t *last, td_error *error)
{
    const size_t count = job->plan->count;
    cudaGraphNode_t *nodes = malloc(count * sizeof *nodes);
    if (nodes == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for a graph of %zu launches", count);
    }
    td_status status = TD_OK;
    for (size_t i = 0; status == TD_OK && i < count; i++) {
        td_cuda_launch l;
        status = td_cuda_bind(cuda, job, &job->plan->launches[i], data, &l, error);
        if (status == TD_OK) {
            struct cudaKernelNodeParams node = {0};
            node.func = (void *)(uintptr_t)l.kernel;
            node.gridDim = l.grid;
            node.blockDim = l.block;
            node.kernelParams = l.arguments;
            status = TD_CUDA(error, cudaGraphAddKernelNode(&nodes[i], graph, last,
                                                           *last != NULL ? 1 : 0, &node));
        }
    }
    if (status == TD_OK && count == 1) {
        *last = nodes[0];
    } else if (status == TD_OK) {
        /* one empty node joins the branches: count edges, not count squared */
        status = TD_CUDA(error, cudaGraphAddEmptyNode(last, graph, nodes, count));
    }
    free(nodes);
    return status;
}

td_status td_cuda_graph(const td_cuda_engine *cuda, const td_job *job, uint32_t repeats,
                        cudaGraphExec_t *graph, td_error *error)
{
    cudaGraph_t built = NULL;
    cudaGraphNode_t last = NULL;
    td_status status = TD_CUDA(error, cudaGraphCreate(&built, 0));
    for (uint32_t repeat = 0; status == TD_OK && repeat < repeats; repeat++) {
        for (uint32_t step = 0; status == TD_OK && step < job->steps; step++) {
            const td_data data = td_job_step(job, step);
            status = add_step(cuda, job, &data, built, &last, error);
        }
    }
    if (status == TD_OK) {
        status = TD_CUDA(error, cudaGraphInstantiate(graph, built, 0));
    }
    if (built != NULL) {
        cudaGraphDestroy(built);
    }
    return status;
}
