/* upload.c - copies host memory to the device; large copies go in pieces through pinned memory. */
#include <string.h>

#include "cuda.h"

/* The driver copies pageable memory with one thread. Here there are two pieces: all threads fill one while the other is
 * sent. */
enum { PIECE = 1 << 25, LEAST = 4 * PIECE, SHARE = 1 << 20 };

static bool is_on_host(const void *memory)
{
    struct cudaPointerAttributes facts;
    return cudaPointerGetAttributes(&facts, memory) == cudaSuccess &&
           facts.type == cudaMemoryTypeUnregistered;
}

static void fill_piece(char *to, const char *from, uint64_t bytes)
{
#pragma omp parallel for schedule(static)
    for (uint64_t at = 0; at < bytes; at += SHARE) {
        memcpy(to + at, from + at, bytes - at < SHARE ? bytes - at : SHARE);
    }
}

static td_status upload_in_pieces(td_cuda_engine *cuda, char *to, const char *from, uint64_t bytes,
                                  td_error *error)
{
    const cudaEvent_t sent[2] = {cuda->start, cuda->stop}; /* no sample is taken meanwhile */
    int turn = 0;
    for (uint64_t at = 0; at < bytes; at += PIECE, turn = 1 - turn) {
        const uint64_t size = bytes - at < PIECE ? bytes - at : PIECE;
        char *piece = (char *)cuda->pinned + (uint64_t)turn * PIECE;
        TRY_CUDA(error, cudaEventSynchronize(sent[turn]));
        fill_piece(piece, from + at, size);
        TRY_CUDA(error, cudaMemcpyAsync(to + at, piece, size, cudaMemcpyDefault, cuda->stream));
        TRY_CUDA(error, cudaEventRecord(sent[turn], cuda->stream));
    }
    return TD_CUDA(error, cudaStreamSynchronize(cuda->stream));
}

/* Whether the pinned pieces are there. If no memory can be pinned, the driver copies. */
static bool has_pieces(td_cuda_engine *cuda)
{
    if (cuda->pinned == NULL &&
        cudaHostAlloc(&cuda->pinned, 2 * PIECE, cudaHostAllocDefault) != cudaSuccess) {
        cuda->pinned = NULL;
        cudaGetLastError();
    }
    return cuda->pinned != NULL;
}

td_status td_cuda_upload(td_engine *engine, void *to, const void *from, uint64_t bytes,
                         td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    if (bytes >= LEAST && is_on_host(from) && has_pieces(cuda)) {
        return upload_in_pieces(cuda, to, from, bytes, error);
    }
    TRY_CUDA(error, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cuda->stream));
    return TD_CUDA(error, cudaStreamSynchronize(cuda->stream));
}
