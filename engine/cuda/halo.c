/* halo.c - streams and exchanges for the rows at a cut; see cuda.h. */
#include "cuda.h"

#include <stdlib.h>

/* The stream has the highest priority: its few blocks, which other processes wait for, run before the many that none
 * waits for. */
struct td_cuda_halo {
    cudaStream_t stream;
    cudaEvent_t forked, begun, done, joined;
    bool exchanged;
    uint8_t *pinned; /* for exchanges through the host */
    uint64_t room;   /* its bytes */
};

td_status td_cuda_halo_connect(td_engine *engine, const char **transport, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    TRY(td_nccl_open(engine, &cuda->nccl, error));
    *transport = cuda->nccl != NULL ? "nccl" : "mpi";
    return TD_OK;
}

static td_status open_halo(td_cuda_engine *cuda, td_error *error)
{
    int least = 0, greatest = 0;
    if (cuda->halo != NULL) {
        return TD_OK;
    }
    struct td_cuda_halo *h = NULL;
    TRY(td_allocate(&h, 1, sizeof *h, error, "a halo"));
    cuda->halo = h;
    TRY_CUDA(error, cudaDeviceGetStreamPriorityRange(&least, &greatest));
    TRY_CUDA(error, cudaStreamCreateWithPriority(&h->stream, cudaStreamNonBlocking, greatest));
    TRY_CUDA(error, cudaEventCreateWithFlags(&h->forked, cudaEventDisableTiming));
    TRY_CUDA(error, cudaEventCreateWithFlags(&h->joined, cudaEventDisableTiming));
    TRY_CUDA(error, cudaEventCreate(&h->begun));
    return TD_CUDA(error, cudaEventCreate(&h->done));
}

void td_cuda_halo_close(td_cuda_engine *cuda)
{
    struct td_cuda_halo *h = cuda->halo;
    td_nccl_close(cuda->nccl);
    cuda->nccl = NULL;
    if (h == NULL) {
        return;
    }
    cudaFreeHost(h->pinned);
    const cudaEvent_t events[] = {h->forked, h->begun, h->done, h->joined};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        if (events[i] != NULL) {
            cudaEventDestroy(events[i]);
        }
    }
    if (h->stream != NULL) {
        cudaStreamDestroy(h->stream);
    }
    free(h);
    cuda->halo = NULL;
}

td_status td_cuda_halo_fork(td_cuda_engine *cuda, cudaStream_t *edges, td_error *error)
{
    TRY(open_halo(cuda, error));
    TRY_CUDA(error, cudaEventRecord(cuda->halo->forked, cuda->stream));
    TRY_CUDA(error, cudaStreamWaitEvent(cuda->halo->stream, cuda->halo->forked, 0));
    *edges = cuda->halo->stream;
    return TD_OK;
}

td_status td_cuda_halo_join(td_cuda_engine *cuda, td_error *error)
{
    TRY_CUDA(error, cudaEventRecord(cuda->halo->joined, cuda->halo->stream));
    return TD_CUDA(error, cudaStreamWaitEvent(cuda->stream, cuda->halo->joined, 0));
}

/* ---- through the host ---- */

/* Pinned memory for all that a halo gives and takes. */
static td_status make_room(struct td_cuda_halo *h, const td_halo *halo, td_error *error)
{
    const td_halo_rows *a = &halo->side[0], *b = &halo->side[1];
    const uint64_t bytes = a->give_bytes + a->take_bytes + b->give_bytes + b->take_bytes;
    if (h->room < bytes) {
        h->room = 0;
        cudaFreeHost(h->pinned);
        h->pinned = NULL;
        TRY_CUDA(error, cudaMallocHost((void **)&h->pinned, bytes));
        h->room = bytes;
    }
    return TD_OK;
}

static td_status exchange_by_host(td_cuda_engine *cuda, const td_halo *halo, uintptr_t state,
                                  td_error *error)
{
    struct td_cuda_halo *h = cuda->halo;
    td_swap swaps[2];
    TRY(make_room(h, halo, error));
    uint8_t *give = h->pinned;
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        uint8_t *take = give + rows->give_bytes;
        swaps[i] = (td_swap){rows->with, give, take, rows->give_bytes, rows->take_bytes};
        if (rows->with >= 0) {
            TRY_CUDA(error, cudaMemcpyAsync(give, (const void *)(state + rows->give),
                                            rows->give_bytes, cudaMemcpyDeviceToHost, h->stream));
        }
        give = take + rows->take_bytes;
    }
    TRY_CUDA(error, cudaStreamSynchronize(h->stream));
    td_ranks_swap_begin(cuda->base.ranks, swaps);
    td_ranks_swap_end(cuda->base.ranks);
    for (int i = 0; i < 2; i++) {
        const td_halo_rows *rows = &halo->side[i];
        if (rows->with >= 0) {
            TRY_CUDA(error, cudaMemcpyAsync((void *)(state + rows->take), swaps[i].take,
                                            rows->take_bytes, cudaMemcpyHostToDevice, h->stream));
        }
    }
    return TD_OK;
}

td_status td_cuda_halo_exchange(td_cuda_engine *cuda, const td_halo *halo, void *state,
                                td_error *error)
{
    struct td_cuda_halo *h = cuda->halo;
    TRY_CUDA(error, cudaEventRecord(h->begun, h->stream));
    TRY(cuda->nccl != NULL ? td_nccl_exchange(cuda->nccl, halo, state, h->stream, error)
                           : exchange_by_host(cuda, halo, (uintptr_t)state, error));
    h->exchanged = true;
    return TD_CUDA(error, cudaEventRecord(h->done, h->stream));
}

void td_cuda_halo_forget(td_cuda_engine *cuda)
{
    if (cuda->halo != NULL) {
        cuda->halo->exchanged = false;
    }
}

/* From the end of the rows at the cuts until the neighbours' rows are there, including the wait for a slower
 * neighbour. */
double td_cuda_exchange_ms(td_engine *engine)
{
    const struct td_cuda_halo *h = td_cuda_of(engine)->halo;
    float ms = -1.0f;
    if (h == NULL || !h->exchanged || cudaEventElapsedTime(&ms, h->begun, h->done) != cudaSuccess) {
        return -1.0;
    }
    return (double)ms;
}
