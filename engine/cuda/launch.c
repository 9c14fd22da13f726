/* launch.c - turns an execution into kernel launches, one by one or as a graph. */
#include "cuda.h"

#include <stdlib.h>

#include "choice.h"
#include "halo.h"

/* The last launch of a workload whose result is one sum: it adds up the sums of the tiles. */
typedef struct total_launch {
    double *output;
    uint64_t count;
    void *arguments[2]; /* point to the members above: do not copy the struct */
} total_launch;

static const dim3 total_grid = {1, 1, 1}, total_block = {1024, 1, 1};

static void bind_total(const td_data *data, total_launch *total)
{
    total->output = data->output;
    total->count = td_tetrahedron(data->params[0]);
    total->arguments[0] = &total->output;
    total->arguments[1] = &total->count;
}

/* A kernel that loops over tiles takes a one-dimensional grid: all blocks of the plan, or as many as fit on the device
 * at once. */
static td_status loop_grid(const td_cuda_engine *cuda, const td_execution *execution,
                           td_cuda_launch *out, td_error *error)
{
    const td_dim3 grid = out->launch.grid;
    const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z * out->launch.bands;
    uint64_t limit = 2147483647u;
    if (execution->schedule == TD_SCHEDULE_DYNAMIC && blocks > UINT32_MAX) {
        return td_fail(error, TD_FAILED, "--schedule dynamic counts at most %u blocks of a grid",
                       UINT32_MAX);
    }
    if (execution->schedule != TD_SCHEDULE_GRID) {
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

td_status td_cuda_bind(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_launch *launch, const td_data *data, uint32_t beside,
                       td_cuda_launch *out, td_error *error)
{
    out->kernel = td_cuda_kernel(cuda, execution, launch);
    if (out->kernel == NULL) {
        return td_fail(error, TD_FAILED, "there is no kernel for %s with %s",
                       execution->workload->name, execution->strategy->name);
    }
    out->launch = *launch;
    out->data = *data;
    out->strategy = td_cuda_is_square(execution) || launch->rectangle ? (uint32_t)TD_WHOLE_SQUARE
                                                                      : execution->strategy->id;
    out->strategy |= execution->schedule == TD_SCHEDULE_DYNAMIC ? beside << 16 : 0;
    out->arguments[0] = &out->launch;
    out->arguments[1] = &out->data;
    out->arguments[2] = &out->strategy;
    out->grid.x = launch->grid.x;
    out->grid.y = launch->grid.y;
    out->grid.z = launch->grid.z;
    if (launch->bands > 1) { /* in a dimension of their own, so that blocks need not divide */
        out->grid.z = out->grid.y;
        out->grid.y = out->grid.x;
        out->grid.x = launch->bands;
    }
    out->block.x = launch->block.x;
    out->block.y = launch->block.y;
    out->block.z = launch->block.z;
    if (td_cuda_loops(execution, launch)) {
        return loop_grid(cuda, execution, out, error);
    }
    return TD_OK;
}

static td_status enqueue_grids(const td_cuda_engine *cuda, const td_execution *execution,
                               const td_data *data, size_t first, size_t end, cudaStream_t stream,
                               td_error *error)
{
    for (size_t i = first; i < end; i++) {
        td_cuda_launch l;
        TRY(td_cuda_bind(cuda, execution, &execution->plan->launches[i], data,
                         stream != cuda->stream, &l, error));
        TRY_CUDA(error, cudaLaunchKernel(l.kernel, l.grid, l.block, l.arguments, 0, stream));
    }
    return TD_OK;
}

/*
 * A step of a part with neighbours. The rows at the cuts and then their exchange go on a stream of their own, which has
 * priority over the stream with all other rows. Both streams join at the end. The last step exchanges nothing, because
 * no step follows.
 */
static td_status enqueue_part(td_cuda_engine *cuda, const td_execution *execution, uint32_t step,
                              const td_data *data, td_error *error)
{
    const td_plan *plan = execution->plan;
    cudaStream_t edges = NULL;
    TRY(td_cuda_halo_fork(cuda, &edges, error));
    TRY(enqueue_grids(cuda, execution, data, 0, plan->edges, edges, error));
    TRY(enqueue_grids(cuda, execution, data, plan->edges, plan->count, cuda->stream, error));
    if (step + 1 < execution->steps) {
        TRY(td_cuda_halo_exchange(cuda, &execution->halo, data->output, error));
    }
    return td_cuda_halo_join(cuda, error);
}

static td_status enqueue_step(td_cuda_engine *cuda, const td_execution *execution, uint32_t step,
                              const td_data *data, td_error *error)
{
    if (execution->strategy->tree) {
        return td_cuda_tree(cuda, execution, data, error);
    }
    return execution->halo.exists ? enqueue_part(cuda, execution, step, data, error)
                                  : enqueue_grids(cuda, execution, data, 0, execution->plan->count,
                                                  cuda->stream, error);
}

td_status td_cuda_enqueue(td_cuda_engine *cuda, const td_execution *execution, td_error *error)
{
    for (uint32_t step = 0; step < execution->steps; step++) {
        const td_data data = td_execution_step(execution, step);
        TRY(enqueue_step(cuda, execution, step, &data, error));
        if (execution->workload->sum != NULL) {
            total_launch total;
            bind_total(&data, &total);
            TRY_CUDA(error, cudaLaunchKernel(td_total_kernel, total_grid, total_block,
                                             total.arguments, 0, cuda->stream));
        }
    }
    return TD_CUDA(error, cudaGetLastError());
}

/* With fewer branches there are gaps between small grids; with more, starting and joining them takes longer. */
enum { BRANCHES = TD_COUNTERS };

/* The last node of each branch of a graph, so far. All of them come before what is added next. An empty node that
 * joined them would take 2 to 6 us on an H200. */
typedef struct ends {
    cudaGraphNode_t of[BRANCHES];
    size_t count;
} ends;

static td_status add_total(const td_data *data, cudaGraph_t graph, ends *last, td_error *error)
{
    total_launch total;
    struct cudaKernelNodeParams node = {0};
    ends added = {.count = 1};
    bind_total(data, &total);
    node.func = (void *)(uintptr_t)td_total_kernel;
    node.gridDim = total_grid;
    node.blockDim = total_block;
    node.kernelParams = total.arguments;
    TRY_CUDA(error, cudaGraphAddKernelNode(&added.of[0], graph, last->of, last->count, &node));
    *last = added;
    return TD_OK;
}

/* Orders by decreasing number of blocks, ties in the order of the plan. */
static int larger_first(const void *a, const void *b)
{
    const td_launch *const *left = a, *const *right = b;
    const td_dim3 l = (*left)->grid, r = (*right)->grid;
    const uint64_t left_blocks = (uint64_t)l.x * l.y * l.z,
                   right_blocks = (uint64_t)r.x * r.y * r.z;
    if (left_blocks != right_blocks) {
        return left_blocks > right_blocks ? -1 : 1;
    }
    return *left < *right ? -1 : *left > *right;
}

static const td_launch **sorted_launches(const td_plan *plan)
{
    const td_launch **launches = malloc(plan->count * sizeof *launches);
    for (size_t i = 0; launches != NULL && i < plan->count; i++) {
        launches[i] = &plan->launches[i];
    }
    if (launches != NULL) {
        qsort(launches, plan->count, sizeof *launches, larger_first);
    }
    return launches;
}

/*
 * Add the nodes of one step, all after `*last`, which becomes the step's ends. The launches are independent. The
 * largest come first, so that none is left alone at the end, and each branch takes every BRANCHES-th launch.
 */
static td_status add_branches(const td_cuda_engine *cuda, const td_execution *execution,
                              const td_data *data, const td_launch *const *launches,
                              cudaGraph_t graph, ends *last, td_error *error)
{
    const size_t count = execution->plan->count;
    ends added = {.count = count < BRANCHES ? count : BRANCHES};
    for (size_t i = 0; i < count; i++) {
        td_cuda_launch l;
        struct cudaKernelNodeParams node = {0};
        cudaGraphNode_t *const end = &added.of[i % BRANCHES], before = *end;
        const bool starts = i < BRANCHES;
        TRY(td_cuda_bind(cuda, execution, launches[i], data, i % BRANCHES, &l, error));
        node.func = (void *)(uintptr_t)l.kernel;
        node.gridDim = l.grid;
        node.blockDim = l.block;
        node.kernelParams = l.arguments;
        TRY_CUDA(error, cudaGraphAddKernelNode(end, graph, starts ? last->of : &before,
                                               starts ? last->count : 1, &node));
    }
    *last = added;
    return TD_OK;
}

static td_status add_step(const td_cuda_engine *cuda, const td_execution *execution,
                          const td_data *data, cudaGraph_t graph, ends *last, td_error *error)
{
    const td_launch **launches = sorted_launches(execution->plan);
    if (launches == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory for a graph of %zu launches",
                       execution->plan->count);
    }
    const td_status status = add_branches(cuda, execution, data, launches, graph, last, error);
    free(launches);
    return status == TD_OK && execution->workload->sum != NULL ? add_total(data, graph, last, error)
                                                               : status;
}

td_status td_cuda_graph(const td_cuda_engine *cuda, const td_execution *execution, uint32_t repeats,
                        cudaGraphExec_t *graph, td_error *error)
{
    cudaGraph_t built = NULL;
    ends last = {.count = 0};
    td_status status = TD_CUDA(error, cudaGraphCreate(&built, 0));
    for (uint32_t repeat = 0; status == TD_OK && repeat < repeats; repeat++) {
        for (uint32_t step = 0; status == TD_OK && step < execution->steps; step++) {
            const td_data data = td_execution_step(execution, step);
            status = add_step(cuda, execution, &data, built, &last, error);
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
