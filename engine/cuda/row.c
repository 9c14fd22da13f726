/* row.c - an NVIDIA GPU as an engine: opening it, its memory and its telemetry. */
#include "cuda.h"

#include <cuda_profiler_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "nvml.h"
#include "row.h"

static void cuda_close(td_engine *engine)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    if (cuda == NULL) {
        return;
    }
    td_cuda_halo_close(cuda);
    td_cuda_own_close(cuda);
    td_nvml_close(cuda->nvml);
    cudaFree(cuda->flush);
    cudaFree(cuda->counts);
    if (cuda->start != NULL) {
        cudaEventDestroy(cuda->start);
    }
    if (cuda->stop != NULL) {
        cudaEventDestroy(cuda->stop);
    }
    if (cuda->stream != NULL) {
        cudaStreamDestroy(cuda->stream);
    }
    free(cuda);
}

static void *open_nvml(void *engine)
{
    td_cuda_engine *cuda = engine;
    cuda->nvml = td_nvml_open(cuda->pci_id);
    return NULL;
}

static td_status open_context(td_cuda_engine *cuda, td_error *error)
{
    TRY_CUDA(error, cudaSetDevice(cuda->device));
    TRY_CUDA(error, cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking));
    TRY_CUDA(error, cudaEventCreate(&cuda->start));
    TRY_CUDA(error, cudaEventCreate(&cuda->stop));
    return TD_CUDA(error, cudaMalloc((void **)&cuda->counts, sizeof *cuda->counts));
}

/* A context takes a few hundred milliseconds, in which a thread opens NVML. */
static td_status open_both(td_cuda_engine *cuda, td_error *error)
{
    pthread_t thread;
    const bool beside = pthread_create(&thread, NULL, open_nvml, cuda) == 0;
    const td_status status = open_context(cuda, error);
    if (beside) {
        pthread_join(thread, NULL);
    } else {
        open_nvml(cuda);
    }
    return status;
}

static td_status open_on(td_cuda_engine *cuda, const td_engine_config *config, td_error *error)
{
    td_environment facts = {0};
    TRY(td_cuda_pick(config->device, &cuda->device, error));
    TRY(td_cuda_facts(cuda->device, &facts, error));
    cuda->sms = (int)facts.sms;
    cuda->compute_major = facts.compute_major;
    cuda->l2_bytes = facts.l2_bytes;
    snprintf(cuda->pci_id, sizeof cuda->pci_id, "%s", facts.gpu_pci_id);
    TRY(open_both(cuda, error));
    struct cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, td_count_other_kernel) != cudaSuccess) {
        cudaGetLastError();
        return td_fail(error, TD_UNAVAILABLE,
                       "this tribench has no code for %s: build it with make CUDA_ARCH=%d%d",
                       facts.gpu_name, facts.compute_major, facts.compute_minor);
    }
    return TD_OK;
}

/* A context has eight hardware queues unless this variable names another number, and a third of its time goes into
 * them (H200: 0.13 of 0.35 s). Only kernels that launch kernels, and copies beside kernels, take more than one. */
static void ask_for_queues(const td_engine_config *config)
{
    if (config->one_queue) {
        setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 0);
    }
}

static td_status cuda_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    td_cuda_engine *cuda = NULL;
    ask_for_queues(config);
    TRY(td_allocate(&cuda, 1, sizeof *cuda, error, "the cuda engine"));
    cuda->base.ops = &td_cuda_ops;
    const td_status status = open_on(cuda, config, error);
    if (status != TD_OK) {
        cuda_close(&cuda->base);
        return status == TD_FAILED ? TD_UNAVAILABLE : status;
    }
    *engine = &cuda->base;
    return TD_OK;
}

static void cuda_describe(td_engine *engine, td_environment *environment)
{
    td_cuda_facts(td_cuda_of(engine)->device, environment, NULL);
    td_nvml_driver(td_cuda_of(engine)->nvml, environment->driver_name,
                   sizeof environment->driver_name);
}

static td_status cuda_free_memory(td_engine *engine, uint64_t *free_bytes, td_error *error)
{
    size_t left = 0, total = 0;
    (void)engine;
    TRY_CUDA(error, cudaMemGetInfo(&left, &total));
    *free_bytes = left;
    return TD_OK;
}

static td_status cuda_allocate(td_engine *engine, uint64_t bytes, void **memory, td_error *error)
{
    (void)engine;
    return TD_CUDA(error, cudaMalloc(memory, bytes > 0 ? bytes : 1));
}

static void cuda_release(td_engine *engine, void *memory)
{
    (void)engine;
    cudaFree(memory);
}

/* In either direction. */
static td_status cuda_copy(td_engine *engine, void *to, const void *from, uint64_t bytes,
                           td_error *error)
{
    TRY_CUDA(error,
             cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, td_cuda_of(engine)->stream));
    return TD_CUDA(error, cudaStreamSynchronize(td_cuda_of(engine)->stream));
}

static td_status cuda_fill(td_engine *engine, void *memory, uint8_t byte, uint64_t bytes,
                           td_error *error)
{
    return TD_CUDA(error, cudaMemsetAsync(memory, byte, bytes, td_cuda_of(engine)->stream));
}

static td_status cuda_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    if (execution->strategy->tree) {
        TRY(td_cuda_tree_prepare(execution, error));
    }
    TRY(td_cuda_enqueue(td_cuda_of(engine), execution, error));
    return TD_CUDA(error, cudaStreamSynchronize(td_cuda_of(engine)->stream));
}

static bool cuda_is_healthy(td_engine *engine)
{
    return cudaStreamSynchronize(td_cuda_of(engine)->stream) == cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess;
}

static void cuda_telemetry(td_engine *engine, td_telemetry *telemetry)
{
    td_nvml_telemetry(td_cuda_of(engine)->nvml, telemetry);
}

static td_status cuda_energy_j(td_engine *engine, double *joules, td_error *error)
{
    return td_nvml_energy_j(td_cuda_of(engine)->nvml, joules, error);
}

/* Marks the launch that Nsight Compute looks at. */
static td_status cuda_profile(td_engine *engine, bool on, td_error *error)
{
    (void)engine;
    return TD_CUDA(error, on ? cudaProfilerStart() : cudaProfilerStop());
}

const td_engine_ops td_cuda_ops = {
    TD_CUDA_FACTS,
    .usable = td_cuda_usable,
    .likely = td_cuda_likely,
    .devices = td_cuda_devices,
    .open = cuda_open,
    .describe = cuda_describe,
    .peak_bandwidth = td_cuda_peak_bandwidth,
    .load = td_cuda_own_load,
    .free_memory = cuda_free_memory,
    .allocate = cuda_allocate,
    .upload = cuda_copy,
    .for_each_cell = td_cuda_for_each_cell,
    .fill = cuda_fill,
    .launch = cuda_launch,
    .check = td_cuda_check,
    .count_other = td_cuda_count_other,
    .download = cuda_copy,
    .prepare = td_cuda_prepare,
    .blocks_at_once = td_cuda_blocks_at_once,
    .join = td_cuda_halo_connect,
    .exchange_ms = td_cuda_exchange_ms,
    .telemetry = cuda_telemetry,
    .energy_j = cuda_energy_j,
    .flush = td_cuda_flush,
    .sample = td_cuda_sample,
    .discard = td_cuda_discard,
    .is_healthy = cuda_is_healthy,
    .release = cuda_release,
    .close = cuda_close,
    .coverage = td_cuda_coverage,
    .ask = td_cuda_ask,
    .profile = cuda_profile,
};
