/* timing.c - times batches of launches between two events, and measures the peak bandwidth of the memory. */
#include "cuda.h"

#include <stdlib.h>

enum {
    /* A graph repeats a run as often as this many nodes allow; a batch replays the graph. */
    GRAPH_NODES = 4096,
    /* From this many launches per run on, joining a run's branches inside a graph costs more than a replay. */
    MANY_LAUNCHES = 12
};

struct td_prepared {
    td_execution execution;
    uint32_t replays; /* of the graph, or of the execution without one */
    cudaGraphExec_t graph;
};

void td_cuda_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    if (prepared != NULL && prepared->graph != NULL) {
        cudaGraphExecDestroy(prepared->graph);
    }
    free(prepared);
}

/* Put as many repeats into the graph as fit and divide the batch evenly. Replays do the rest. */
static td_status make_graph(const td_cuda_engine *cuda, td_prepared *p, uint32_t batch,
                            td_error *error)
{
    const uint64_t nodes = (uint64_t)p->execution.plan->count * p->execution.steps;
    const bool alone = nodes >= GRAPH_NODES || p->execution.plan->count >= MANY_LAUNCHES;
    uint32_t repeats = alone ? 1 : (uint32_t)(GRAPH_NODES / nodes);
    repeats = repeats < batch ? repeats : batch;
    while (batch % repeats != 0) {
        repeats--;
    }
    p->replays = batch / repeats;
    TRY(td_cuda_graph(cuda, &p->execution, repeats, &p->graph, error));
    return TD_CUDA(error, cudaGraphUpload(p->graph, cuda->stream));
}

td_status td_cuda_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                          bool graph, td_prepared **prepared, td_error *error)
{
    td_prepared *p = NULL;
    TRY(td_allocate(&p, 1, sizeof *p, error, "a run"));
    p->execution = *execution;
    p->replays = batch;
    td_status status = execution->strategy->tree ? td_cuda_tree_prepare(execution, error) : TD_OK;
    if (status == TD_OK && graph && execution->steps > 0) {
        status = make_graph(td_cuda_of(engine), p, batch, error);
    }
    if (status != TD_OK) {
        td_cuda_discard(engine, p);
        return status;
    }
    *prepared = p;
    return TD_OK;
}

static td_status queue_batch(td_cuda_engine *cuda, const td_prepared *prepared, td_error *error)
{
    for (uint32_t replay = 0; replay < prepared->replays; replay++) {
        if (prepared->graph != NULL) {
            TRY_CUDA(error, cudaGraphLaunch(prepared->graph, cuda->stream));
        } else {
            TRY(td_cuda_enqueue(cuda, &prepared->execution, error));
        }
    }
    return TD_OK;
}

td_status td_cuda_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                         td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    float elapsed_ms = 0.0f;
    td_cuda_halo_forget(cuda);
    TRY_CUDA(error, cudaEventRecord(cuda->start, cuda->stream));
    TRY(queue_batch(cuda, prepared, error));
    TRY_CUDA(error, cudaEventRecord(cuda->stop, cuda->stream));
    TRY_CUDA(error, cudaEventSynchronize(cuda->stop));
    TRY_CUDA(error, cudaEventElapsedTime(&elapsed_ms, cuda->start, cuda->stop));
    *batch_ms = (double)elapsed_ms;
    return TD_OK;
}

td_status td_cuda_flush(td_engine *engine, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    const uint64_t bytes = 4 * cuda->l2_bytes;
    if (cuda->flush == NULL) {
        TRY_CUDA(error, cudaMalloc(&cuda->flush, bytes));
    }
    return TD_CUDA(error, cudaMemsetAsync(cuda->flush, 1, bytes, cuda->stream));
}

/* The best bandwidth over `most`, three quarters and half of `most` bytes, twice each [1e9 bytes/s], and the size that
 * reached it. A copy counts both directions. */
static td_status best_gb_per_s(td_cuda_engine *cuda, void *to, const void *from, uint64_t most,
                               double *gb_per_s, double *best_bytes, td_error *error)
{
    for (int repeat = 0; repeat < 6; repeat++) {
        const uint64_t bytes = most / 4 * (4 - (uint64_t)repeat % 3);
        float elapsed_ms = 0.0f;
        TRY_CUDA(error, cudaEventRecord(cuda->start, cuda->stream));
        if (from != NULL) {
            TRY_CUDA(error,
                     cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda->stream));
        } else {
            TRY_CUDA(error, cudaMemsetAsync(to, repeat, bytes, cuda->stream));
        }
        TRY_CUDA(error, cudaEventRecord(cuda->stop, cuda->stream));
        TRY_CUDA(error, cudaEventSynchronize(cuda->stop));
        TRY_CUDA(error, cudaEventElapsedTime(&elapsed_ms, cuda->start, cuda->stop));
        const double moved = (double)bytes * (from != NULL ? 2.0 : 1.0);
        const double rate = moved / ((double)elapsed_ms * 1e6);
        *best_bytes = rate > *gb_per_s ? (double)bytes : *best_bytes;
        *gb_per_s = rate > *gb_per_s ? rate : *gb_per_s;
    }
    return TD_OK;
}

td_status td_cuda_peak_bandwidth(td_engine *engine, td_environment *environment, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    uint64_t left = 0;
    TRY(engine->ops->free_memory(engine, &left, error));
    const uint64_t wanted = (uint64_t)2 << 30; /* several times any L2 */
    const uint64_t bytes = left / 4 < wanted ? left / 4 / 4096 * 4096 : wanted;
    void *a = NULL, *b = NULL;
    td_status status = TD_CUDA(error, cudaMalloc(&a, bytes));
    if (status == TD_OK) {
        status = TD_CUDA(error, cudaMalloc(&b, bytes));
    }
    if (status == TD_OK) {
        status = best_gb_per_s(cuda, a, NULL, bytes, &environment->peaks.fill_gb_per_s,
                               &environment->peaks.fill_bytes, error);
    }
    if (status == TD_OK) {
        status = best_gb_per_s(cuda, b, a, bytes, &environment->peaks.copy_gb_per_s,
                               &environment->peaks.copy_bytes, error);
    }
    cudaFree(a);
    cudaFree(b);
    return status;
}
