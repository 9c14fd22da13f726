/* launch.c - turns an execution into kernel launches, one by one or as a graph. */
#include "cuda.h"

#include <stdlib.h>

#include "engine/core/coverage.h"

/* The last launch of a workload whose result is one sum: it adds up the sums of the tiles. */
static void bind_total(const td_data *data, td_cuda_launch *out)
{
    out->kernel = td_total_kernel;
    out->grid = (dim3){1, 1, 1};
    out->block = (dim3){1024, 1, 1};
    out->data = *data;
    out->shared = 0;
    out->count = td_tetrahedron(data->params[0]);
    out->arguments[0] = &out->data.output;
    out->arguments[1] = &out->count;
}

/* In 2D the grid of a tree's first kernel is the box of the root. In 3D the root is one block: one warp for its box and
 * one per child. */
static void bind_tree(const td_execution *execution, td_cuda_launch *out)
{
    const td_launch *root = &out->launch;
    out->node = td_tree_root(root->n);
    out->leaf = td_tree_leaf(execution->cutoff, root->tile);
    out->arguments[2] = &out->node;
    out->arguments[3] = &out->leaf;
    if (execution->strategy->dimension == 3) {
        out->grid = (dim3){1, 1, 1};
        out->block = (dim3){32 * (1 + execution->strategy->tree->children), 1, 1};
    }
}

/* How many blocks of a launch the device holds. */
static td_status resident_blocks(const td_cuda_engine *cuda, const td_cuda_launch *launch,
                                 uint64_t *resident, td_error *error)
{
    int per_sm = 0;
    const unsigned threads = launch->block.x * launch->block.y * launch->block.z;
    TRY_CUDA(error, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, launch->kernel,
                                                                  (int)threads, launch->shared));
    *resident = (uint64_t)per_sm * (uint64_t)cuda->sms;
    return TD_OK;
}

/* How many blocks can work at once: clusters that share tiles, all of them. */
static uint64_t useful_blocks(const td_execution *execution, const td_cuda_launch *launch,
                              uint64_t blocks, uint64_t resident)
{
    const bool may_split =
        execution->schedule == TD_SCHEDULE_PERSISTENT && launch->strategy >> 16 != 0;
    return may_split || resident < blocks ? resident : blocks;
}

/* A kernel that loops over tiles takes a one-dimensional grid: all blocks of the plan, or as many as fit on the device
 * at once. */
static td_status loop_grid(const td_cuda_engine *cuda, const td_execution *execution,
                           td_cuda_launch *out, td_error *error)
{
    const uint64_t blocks = td_launch_blocks(&out->launch) * out->launch.bands;
    uint64_t limit = 2147483647u;
    if (execution->schedule == TD_SCHEDULE_DYNAMIC && blocks > UINT32_MAX) {
        return td_fail(error, TD_FAILED, "--schedule dynamic counts at most %u blocks of a grid",
                       UINT32_MAX);
    }
    if (execution->schedule != TD_SCHEDULE_GRID) {
        TRY(resident_blocks(cuda, out, &limit, error));
    }
    out->grid = (dim3){(unsigned)useful_blocks(execution, out, blocks, limit), 1, 1};
    return TD_OK;
}

/* Tile kernels may have shared memory from the launch, beyond 48 KB if they are allowed to. */
static td_status bind_shared(const td_execution *execution, bool in_clusters, td_cuda_launch *out,
                             td_error *error)
{
    const td_tiles *tiles = execution->workload->tiles;
    out->shared = execution->kernel != TD_KERNEL_TILE ? 0
                  : in_clusters                       ? tiles->cluster_shared
                                                      : tiles->shared;
    return out->shared == 0
               ? TD_OK
               : TD_CUDA(error, cudaFuncSetAttribute(out->kernel,
                                                     cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                     (int)out->shared));
}

/* Kernels for clusters take blocks in pairs. Clusters that share tiles wait for each other, and need to know how many
 * tiles there are. */
static td_status bind_cluster(const td_execution *execution, td_cuda_launch *out, td_error *error)
{
    const td_plan *plan = execution->plan;
    if (!execution->workload->traits.by_rows) {
        out->strategy |= (uint32_t)(plan->count == 1 && plan->blocks == plan->blocks_needed) << 16;
    }
    out->arguments[3] = out->boxes;
    const uint32_t id = td_workload_id(execution->workload);
    const int code = td_cluster_prepare(id, &out->data, out->boxes);
    return code == 0 ? TD_OK
                     : td_fail(error, TD_FAILED, "a kernel for clusters: CUDA error %d", code);
}

/* The number of the map for kernels that choose it at run time. Those for a map from a file know two, see list.h. */
static uint32_t number_of_map(const td_execution *execution, const td_launch *launch)
{
    const bool own = execution->strategy->own != NULL;
    return td_cuda_is_square(execution) || launch->rectangle ? (own ? 2 : TD_WHOLE_SQUARE)
           : own                                             ? 0
                                                             : execution->strategy->id;
}

td_status td_cuda_bind(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_launch *launch, const td_data *data, uint32_t beside,
                       td_cuda_launch *out, td_error *error)
{
    out->kernel = td_cuda_kernel(cuda, execution, launch);
    const bool in_clusters = td_cuda_form(cuda, execution, launch) == TD_CLUSTERS;
    if (out->kernel == NULL) {
        return td_fail(error, TD_FAILED, "there is no kernel for %s with %s",
                       execution->workload->name, execution->strategy->name);
    }
    if (execution->schedule == TD_SCHEDULE_CONTIGUOUS && !in_clusters) {
        return td_fail(error, TD_FAILED,
                       "--schedule contiguous: only clusters take tiles in a row, on GPUs of "
                       "compute capability 9.0, in builds with CUDA_ARCH=90");
    }
    out->launch = *launch;
    out->data = *data;
    TRY(bind_shared(execution, in_clusters, out, error));
    out->strategy = number_of_map(execution, launch);
    if (execution->schedule == TD_SCHEDULE_DYNAMIC) { /* clusters: 0 is no counter */
        out->strategy |= (beside + in_clusters) << 16;
    }
    out->strategy |= execution->schedule == TD_SCHEDULE_CONTIGUOUS ? (uint32_t)TD_IN_RANGES : 0;
    out->arguments[0] = &out->launch;
    out->arguments[1] = &out->data;
    out->arguments[2] = &out->strategy;
    TRY(in_clusters ? bind_cluster(execution, out, error) : TD_OK);
    const td_dim3 grid = launch->grid, block = launch->block;
    out->block = (dim3){block.x, block.y, block.z};
    if (in_clusters) { /* warpgroups are numbered along x */
        const uint32_t copiers = execution->workload->tiles->cluster_copiers;
        out->block = (dim3){block.x * block.y * block.z + copiers, 1, 1};
    }
    /* bands are in a dimension of their own, so that blocks need not divide */
    out->grid =
        launch->bands > 1 ? (dim3){launch->bands, grid.x, grid.y} : (dim3){grid.x, grid.y, grid.z};
    if (execution->strategy->tree) {
        bind_tree(execution, out);
        return TD_OK;
    }
    if (td_cuda_loops(execution, launch)) {
        return loop_grid(cuda, execution, out, error);
    }
    return TD_OK;
}

uint64_t td_cuda_blocks_at_once(td_engine *engine, const td_execution *execution)
{
    td_cuda_launch l;
    td_error unused;
    uint64_t resident = 0;
    const td_cuda_engine *cuda = td_cuda_of(engine);
    const td_data data = td_execution_step(execution, 0);
    if (execution->plan->count != 1 || execution->strategy->tree != NULL ||
        td_cuda_bind(cuda, execution, execution->plan->launches, &data, 0, &l, &unused) != TD_OK ||
        resident_blocks(cuda, &l, &resident, &unused) != TD_OK) {
        return 0;
    }
    return resident;
}

static td_status enqueue(td_cuda_launch *l, cudaStream_t stream, td_error *error)
{
    return TD_CUDA(error,
                   cudaLaunchKernel(l->kernel, l->grid, l->block, l->arguments, l->shared, stream));
}

static td_status enqueue_grids(const td_cuda_engine *cuda, const td_execution *execution,
                               const td_data *data, size_t first, size_t end, cudaStream_t stream,
                               td_error *error)
{
    for (size_t i = first; i < end; i++) {
        td_cuda_launch l;
        TRY(td_cuda_bind(cuda, execution, &execution->plan->launches[i], data,
                         stream != cuda->stream, &l, error));
        TRY(enqueue(&l, stream, error));
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

/* A tree's first kernel launches the rest of its plan. */
static td_status enqueue_step(td_cuda_engine *cuda, const td_execution *execution, uint32_t step,
                              const td_data *data, td_error *error)
{
    const size_t count = execution->strategy->tree ? 1 : execution->plan->count;
    return execution->halo.exists
               ? enqueue_part(cuda, execution, step, data, error)
               : enqueue_grids(cuda, execution, data, 0, count, cuda->stream, error);
}

td_status td_cuda_enqueue(td_cuda_engine *cuda, const td_execution *execution, td_error *error)
{
    for (uint32_t step = 0; step < execution->steps; step++) {
        const td_data data = td_execution_step(execution, step);
        TRY(enqueue_step(cuda, execution, step, &data, error));
        if (execution->workload->sum != NULL) {
            td_cuda_launch total;
            bind_total(&data, &total);
            TRY(enqueue(&total, cuda->stream, error));
        }
    }
    return TD_CUDA(error, cudaGetLastError());
}

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

/* ---- graphs ---- */

/* With fewer branches there are gaps between small grids; with more, starting and joining them takes longer. */
enum { BRANCHES = TD_COUNTERS };

/* The last node of each branch of a graph, so far. All of them come before what is added next. An empty node that
 * joined them would take 2 to 6 us on an H200. */
typedef struct ends {
    cudaGraphNode_t of[BRANCHES];
    size_t count;
} ends;

/* Add a node, which `count` others come before. */
static td_status add_node(cudaGraph_t graph, td_cuda_launch *launch, const cudaGraphNode_t *before,
                          size_t count, cudaGraphNode_t *added, td_error *error)
{
    const struct cudaKernelNodeParams node = {.func = (void *)(uintptr_t)launch->kernel,
                                              .gridDim = launch->grid,
                                              .blockDim = launch->block,
                                              .sharedMemBytes = launch->shared,
                                              .kernelParams = launch->arguments};
    return TD_CUDA(error, cudaGraphAddKernelNode(added, graph, before, count, &node));
}

/* Orders by decreasing number of blocks, ties in the order of the plan. */
static int larger_first(const void *a, const void *b)
{
    const td_launch *const *left = a, *const *right = b;
    const uint64_t left_blocks = td_launch_blocks(*left), right_blocks = td_launch_blocks(*right);
    if (left_blocks != right_blocks) {
        return left_blocks > right_blocks ? -1 : 1;
    }
    return *left < *right ? -1 : *left > *right;
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
        cudaGraphNode_t *const end = &added.of[i % BRANCHES], before = *end;
        const bool starts = i < BRANCHES;
        TRY(td_cuda_bind(cuda, execution, launches[i], data, i % BRANCHES, &l, error));
        TRY(add_node(graph, &l, starts ? last->of : &before, starts ? last->count : 1, end, error));
    }
    *last = added;
    return TD_OK;
}

static td_status add_steps(const td_cuda_engine *cuda, const td_execution *execution,
                           uint32_t repeats, const td_launch *const *launches, cudaGraph_t graph,
                           td_error *error)
{
    ends last = {.count = 0};
    for (uint64_t i = 0; i < (uint64_t)repeats * execution->steps; i++) {
        const td_data data = td_execution_step(execution, (uint32_t)(i % execution->steps));
        TRY(add_branches(cuda, execution, &data, launches, graph, &last, error));
        if (execution->workload->sum != NULL) {
            td_cuda_launch total;
            ends added = {.count = 1};
            bind_total(&data, &total);
            TRY(add_node(graph, &total, last.of, last.count, &added.of[0], error));
            last = added;
        }
    }
    return TD_OK;
}

td_status td_cuda_graph(const td_cuda_engine *cuda, const td_execution *execution, uint32_t repeats,
                        cudaGraphExec_t *graph, td_error *error)
{
    const td_plan *plan = execution->plan;
    const td_launch **launches = NULL;
    cudaGraph_t built = NULL;
    TRY(td_allocate(&launches, plan->count, sizeof *launches, error, "a graph of %zu launches",
                    plan->count));
    for (size_t i = 0; i < plan->count; i++) {
        launches[i] = &plan->launches[i];
    }
    qsort(launches, plan->count, sizeof *launches, larger_first);
    td_status status = TD_CUDA(error, cudaGraphCreate(&built, 0));
    if (status == TD_OK) {
        status = add_steps(cuda, execution, repeats, launches, built, error);
    }
    if (status == TD_OK) {
        status = TD_CUDA(error, cudaGraphInstantiate(graph, built, 0));
    }
    if (built != NULL) {
        cudaGraphDestroy(built);
    }
    free(launches);
    return status;
}
