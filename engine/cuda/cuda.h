/* cuda.h - the cuda engine, one NVIDIA GPU: what its files share. Its kernels are in kernels/. */
#ifndef TD_ENGINE_CUDA_CUDA_H
#define TD_ENGINE_CUDA_CUDA_H

#include <cuda_runtime_api.h>

#include "call.h"
#include "engine/engine.h"
#include "kernel_table.h"

typedef struct td_cuda_engine {
    td_engine base;
    int device;
    int sms;
    uint64_t l2_bytes;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    void *flush;               /* larger than L2; made at the first use */
    void *pinned;              /* of upload.c; made at the first use */
    td_device_counts *counts;  /* on the device */
    struct td_gate *gate;      /* of gate.c; made at the first use */
    struct td_nvml *nvml;      /* NULL where NVML is not there */
    struct td_cuda_halo *halo; /* NULL until one is exchanged */
    struct td_nccl *nccl;      /* NULL: halos go through the host and MPI */
    struct td_cuda_own *own;   /* of own_kernels.c: workloads from files that are loaded */
    int open_ranges;           /* that a profiler was told of */
    char uuid[64];
    char pci_id[32];
} td_cuda_engine;

static inline td_cuda_engine *td_cuda_of(td_engine *engine)
{
    return (td_cuda_engine *)engine;
}

/* The ordinal of a device given as an ordinal or a UUID (NULL: 0). Errors: TD_UNAVAILABLE */
td_status td_cuda_pick(const char *wanted, int *ordinal, td_error *error);

/* Facts of a device. */
td_status td_cuda_facts(int device, td_environment *environment, td_error *error);

/* Whether a usable device is there; see td_engine_ops. A child process looks, so that no context is left behind. */
bool td_cuda_usable(const char *device, td_error *why);

/* The devices for --list. */
size_t td_cuda_devices(td_environment *devices, size_t capacity, td_error *why);

/* As upload of td_engine_ops. */
td_status td_cuda_upload(td_engine *engine, void *to, const void *from, uint64_t bytes,
                         td_error *error);

/* One launch of a grid of an execution, with the data of one step, on a stream. */
typedef struct td_cuda_launch {
    const void *kernel;
    dim3 grid;
    dim3 block;
    td_launch launch; /* the kernel's arguments */
    td_data data;
    uint32_t strategy;  /* of kernels for whole tiles, which choose the map while they run */
    void *arguments[3]; /* point to those above: do not copy */
} td_cuda_launch;

/*
 * td_cuda_bind - fill in `out`, in place.
 *
 * Input   beside: below TD_COUNTERS, another one for each launch that may run at the same time
 * Errors  TD_FAILED: the pair has no such kernel, or --schedule dynamic more tiles than it can count
 */
td_status td_cuda_bind(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_launch *launch, const td_data *data, uint32_t beside,
                       td_cuda_launch *out, td_error *error);

/* Enqueue all launches of an execution once. */
td_status td_cuda_enqueue(td_cuda_engine *cuda, const td_execution *execution, td_error *error);

/* A graph of `repeats` launches of an execution: launches of one step are independent, steps follow each other. */
td_status td_cuda_graph(const td_cuda_engine *cuda, const td_execution *execution, uint32_t repeats,
                        cudaGraphExec_t *graph, td_error *error);

/* A tree strategy: enqueue the root, which launches the rest. */
td_status td_cuda_tree(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_data *data, td_error *error);

/* Before the first launch of a tree: room for its pending launches. */
td_status td_cuda_tree_prepare(const td_execution *execution, td_error *error);

#endif
