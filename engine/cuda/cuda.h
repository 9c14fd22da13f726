/* cuda.h - declarations shared by the files of the cuda engine, which runs on one NVIDIA GPU. Its kernels are in
 * kernels/. */
#pragma once

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
    void *flush;               /* larger than L2; allocated on first use */
    void *pinned;              /* of upload.c; allocated on first use */
    td_device_counts *counts;  /* on the device */
    struct td_nvml *nvml;      /* NULL without NVML */
    struct td_cuda_halo *halo; /* NULL until the first exchange */
    struct td_nccl *nccl;      /* NULL: halos go through the host and MPI */
    struct td_cuda_own *own;   /* of own_kernels.c: the loaded workloads from files */
    int open_ranges;           /* ranges that a profiler was told of and that are still open */
    char pci_id[32];
} td_cuda_engine;

static inline td_cuda_engine *td_cuda_of(td_engine *engine)
{
    return (td_cuda_engine *)engine;
}

/* The ordinal of a device given as an ordinal or a UUID (NULL: 0). Errors: TD_UNAVAILABLE */
td_status td_cuda_pick(const char *wanted, int *ordinal, td_error *error);

/* Add a device's facts to an environment. */
td_status td_cuda_facts(int device, td_environment *environment, td_error *error);

/* The `usable`, `likely` and `devices` operations of td_engine_ops. A child process looks, so that no context is left
 * behind. */
bool td_cuda_usable(td_error *why);
bool td_cuda_likely(void);
size_t td_cuda_devices(td_environment *devices, size_t capacity, td_error *why);

/* The upload operation of td_engine_ops. */
td_status td_cuda_upload(td_engine *engine, void *to, const void *from, uint64_t bytes,
                         td_error *error);

/* One launch of a kernel: a grid of an execution, with the data of one step. */
typedef struct td_cuda_launch {
    const void *kernel;
    dim3 grid;
    dim3 block;
    td_launch launch; /* the kernel's arguments */
    td_data data;
    uint32_t strategy;  /* for whole-tile kernels, which choose the map at run time */
    void *arguments[3]; /* point to the members above: do not copy the struct */
} td_cuda_launch;

/*
 * td_cuda_bind - fill in `out`, in place.
 *
 * Input   beside: below TD_COUNTERS, and different for launches that may run at the same time
 * Errors  TD_FAILED: the pair has no such kernel, or there are more tiles than --schedule dynamic can count
 */
td_status td_cuda_bind(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_launch *launch, const td_data *data, uint32_t beside,
                       td_cuda_launch *out, td_error *error);

/* Enqueue all launches of an execution once. */
td_status td_cuda_enqueue(td_cuda_engine *cuda, const td_execution *execution, td_error *error);

/* Build a graph of `repeats` launches of an execution. Within a step the launches are independent; the steps run in
 * order. */
td_status td_cuda_graph(const td_cuda_engine *cuda, const td_execution *execution, uint32_t repeats,
                        cudaGraphExec_t *graph, td_error *error);

/* Enqueue the root of a tree strategy, which launches the rest. */
td_status td_cuda_tree(const td_cuda_engine *cuda, const td_execution *execution,
                       const td_data *data, td_error *error);

/* Make room for a tree's pending launches. Called before its first launch. */
td_status td_cuda_tree_prepare(const td_execution *execution, td_error *error);
