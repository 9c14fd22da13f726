/* cuda.c - an NVIDIA GPU as an engine. */
#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nvml.h"
#include "survey.h"
#include "util.h"

enum {
    THREADS = 256,
    GRAPH_NODES =
        4096, /* a graph repeats a run as often as this allows; a batch replays the graph */
    MANY_LAUNCHES =
        12 /* of one run: joining its branches inside of a graph costs more than a replay */
};

struct td_prepared {
    td_job job;
    uint32_t replays; /* of the graph, or of the job where there is no graph */
    cudaGraphExec_t graph;
};

static td_cuda_engine *of(td_engine *engine)
{
    return (td_cuda_engine *)engine;
}

static void cuda_close(td_engine *engine)
{
    td_cuda_engine *cuda = of(engine);
    if (cuda == NULL) {
        return;
    }
    td_nvml_close(cuda->nvml);
    cudaFree(cuda->flush);
    cudaFree(cuda->tally);
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

static td_status open_on(td_cuda_engine *cuda, const td_engine_config *config, td_error *error)
{
    TRY(td_cuda_pick(config->device, &cuda->device, error));
    TRY_CUDA(error, cudaSetDevice(cuda->device));
    td_environment facts = {0};
    TRY(td_cuda_facts(cuda->device, &facts, error));
    cuda->sms = (int)facts.sms;
    cuda->l2_bytes = facts.l2_bytes;
    snprintf(cuda->uuid, sizeof cuda->uuid, "%s", facts.gpu_uuid);
    snprintf(cuda->pci_id, sizeof cuda->pci_id, "%s", facts.gpu_pci_id);
    TRY_CUDA(error, cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking));
    TRY_CUDA(error, cudaEventCreate(&cuda->start));
    TRY_CUDA(error, cudaEventCreate(&cuda->stop));
    TRY_CUDA(error, cudaMalloc((void **)&cuda->tally, sizeof *cuda->tally));
    cuda->nvml = td_nvml_open(cuda->pci_id);
    struct cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, td_count_other_kernel) != cudaSuccess) {
        cudaGetLastError();
        return td_fail(error, TD_UNAVAILABLE,
                       "this tribench has no code for %s: build it with make CUDA_ARCH=%d%d",
                       facts.gpu_name, facts.compute_major, facts.compute_minor);
    }
    return TD_OK;
}

static td_status cuda_open(const td_engine_config *config, td_engine **engine, td_error *error)
{
    td_cuda_engine *cuda = calloc(1, sizeof *cuda);
    if (cuda == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory to open the cuda engine");
    }
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
    td_describe_host(environment);
    td_cuda_facts(of(engine)->device, environment, NULL);
    td_nvml_driver(of(engine)->nvml, environment->driver_name, sizeof environment->driver_name);
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

static td_status cuda_upload(td_engine *engine, void *to, const void *from, uint64_t bytes,
                             td_error *error)
{
    TRY_CUDA(error, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, of(engine)->stream));
    return TD_CUDA(error, cudaStreamSynchronize(of(engine)->stream));
}

static td_status cuda_download(td_engine *engine, void *to, const void *from, uint64_t bytes,
                               td_error *error)
{
    TRY_CUDA(error, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, of(engine)->stream));
    return TD_CUDA(error, cudaStreamSynchronize(of(engine)->stream));
}

static td_status cuda_fill(td_engine *engine, void *memory, uint8_t byte, uint64_t bytes,
                           td_error *error)
{
    return TD_CUDA(error, cudaMemsetAsync(memory, byte, bytes, of(engine)->stream));
}

static td_status cuda_launch(td_engine *engine, const td_job *job, td_error *error)
{
    if (job->strategy->tree) {
        TRY(td_cuda_tree_prepare(job, error));
    }
    TRY(td_cuda_enqueue(of(engine), job, error));
    return TD_CUDA(error, cudaStreamSynchronize(of(engine)->stream));
}

static void cuda_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    if (prepared != NULL && prepared->graph != NULL) {
        cudaGraphExecDestroy(prepared->graph);
    }
    free(prepared);
}

/* As many repeats in the graph as it has room for; the rest are replays, and the batch is rounded to them. */
static td_status make_graph(const td_cuda_engine *cuda, td_prepared *p, uint32_t batch,
                            td_error *error)
{
    const uint64_t nodes = (uint64_t)p->job.plan->count * p->job.steps;
    const bool alone = nodes >= GRAPH_NODES || p->job.plan->count >= MANY_LAUNCHES;
    uint32_t repeats = alone ? 1 : (uint32_t)(GRAPH_NODES / nodes);
    repeats = repeats < batch ? repeats : batch;
    while (batch % repeats != 0) {
        repeats--;
    }
    p->replays = batch / repeats;
    TRY(td_cuda_graph(cuda, &p->job, repeats, &p->graph, error));
    return TD_CUDA(error, cudaGraphUpload(p->graph, cuda->stream));
}

static td_status cuda_prepare(td_engine *engine, const td_job *job, uint32_t batch, bool graph,
                              td_prepared **prepared, td_error *error)
{
    td_prepared *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return td_fail(error, TD_NO_MEMORY, "not enough memory to prepare a run");
    }
    p->job = *job;
    p->replays = batch;
    td_status status = job->strategy->tree ? td_cuda_tree_prepare(job, error) : TD_OK;
    if (status == TD_OK && graph && job->steps > 0) {
        status = make_graph(of(engine), p, batch, error);
    }
    if (status != TD_OK) {
        cuda_discard(engine, p);
        return status;
    }
    *prepared = p;
    return TD_OK;
}

static td_status cuda_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                             td_error *error)
{
    td_cuda_engine *cuda = of(engine);
    float elapsed_ms = 0.0f;
    TRY_CUDA(error, cudaEventRecord(cuda->start, cuda->stream));
    for (uint32_t replay = 0; replay < prepared->replays; replay++) {
        if (prepared->graph != NULL) {
            TRY_CUDA(error, cudaGraphLaunch(prepared->graph, cuda->stream));
        } else {
            TRY(td_cuda_enqueue(cuda, &prepared->job, error));
        }
    }
    TRY_CUDA(error, cudaEventRecord(cuda->stop, cuda->stream));
    TRY_CUDA(error, cudaEventSynchronize(cuda->stop));
    TRY_CUDA(error, cudaEventElapsedTime(&elapsed_ms, cuda->start, cuda->stop));
    *batch_ms = (double)elapsed_ms;
    return TD_OK;
}

static td_status cuda_flush(td_engine *engine, td_error *error)
{
    td_cuda_engine *cuda = of(engine);
    const uint64_t bytes = 4 * cuda->l2_bytes;
    if (cuda->flush == NULL) {
        TRY_CUDA(error, cudaMalloc(&cuda->flush, bytes));
    }
    return TD_CUDA(error, cudaMemsetAsync(cuda->flush, 1, bytes, cuda->stream));
}

/* Clear the device's tally, launch, read it back. */
static td_status tally_with(td_cuda_engine *cuda, const void *kernel, dim3 grid, void **arguments,
                            td_device_tally *sum, td_error *error)
{
    const dim3 block = {THREADS, 1, 1};
    TRY_CUDA(error, cudaMemsetAsync(cuda->tally, 0, sizeof *cuda->tally, cuda->stream));
    TRY_CUDA(error, cudaLaunchKernel(kernel, grid, block, arguments, 0, cuda->stream));
    TRY_CUDA(error, cudaGetLastError());
    return cuda_download(&cuda->base, sum, cuda->tally, sizeof *sum, error);
}

/* Blocks for a kernel that takes rows by y and their cells by x, in strides. */
static dim3 rows_grid(uint32_t n)
{
    const dim3 grid = {(n + 4 * THREADS - 1) / (4 * THREADS), n < 32768 ? n : 32768, 1};
    return grid;
}

static td_status cuda_check(td_engine *engine, const td_workload *workload, const td_data *data,
                            td_tally *tally, td_error *error)
{
    td_cuda_engine *cuda = of(engine);
    td_data copy = *data;
    td_check_shape shape = {workload->no_diagonal, data->full && workload->has_layouts,
                            workload->poison, (uint32_t)td_element_bytes(workload->element),
                            data->full && workload->has_domains};
    const td_kernels *kernels = td_kernels_of(workload);
    const void *check = kernels != NULL ? kernels->check : td_automaton_of(workload)->check;
    void *arguments[] = {&copy, &shape, &cuda->tally};
    dim3 grid = rows_grid(data->n);
    if (workload->dimension == 3) { /* a row a block, blocks walk over y and z */
        const dim3 rows = {1, data->n < 64 ? data->n : 64, data->n < 256 ? data->n : 256};
        grid = rows;
    }
    td_device_tally sum;
    TRY(tally_with(cuda, check, grid, arguments, &sum, error));
    tally->checked += sum.checked;
    tally->mismatches += sum.mismatches;
    tally->touched_outside += sum.touched_outside;
    tally->tally += sum.tally;
    if (sum.max_abs_error > tally->max_abs_error) {
        tally->max_abs_error = sum.max_abs_error;
    }
    return TD_OK;
}

static td_status cuda_count_other(td_engine *engine, const void *memory, uint8_t byte,
                                  uint64_t bytes, uint64_t *count, td_error *error)
{
    td_cuda_engine *cuda = of(engine);
    uint32_t value = byte;
    void *arguments[] = {&memory, &value, &bytes, &cuda->tally};
    const dim3 grid = {(unsigned)(4 * cuda->sms), 1, 1};
    td_device_tally sum;
    TRY(tally_with(cuda, td_count_other_kernel, grid, arguments, &sum, error));
    *count = sum.touched_outside;
    return TD_OK;
}

static td_status cuda_visit(td_engine *engine, const td_workload *workload, td_visit visit,
                            const td_data *data, td_error *error)
{
    const td_automaton *automaton = td_automaton_of(workload);
    const void *kernel = automaton == NULL          ? NULL
                         : visit == TD_VISIT_POISON ? automaton->paint
                                                    : automaton->reference;
    if (kernel == NULL) {
        return td_fail(error, TD_FAILED, "%s does not advance in steps", workload->name);
    }
    td_data copy = *data;
    uint32_t square = data->full && workload->has_domains;
    void *arguments[] = {&copy, &square};
    const dim3 block = {THREADS, 1, 1};
    TRY_CUDA(error,
             cudaLaunchKernel(kernel, rows_grid(data->n), block, arguments, 0, of(engine)->stream));
    return TD_CUDA(error, cudaGetLastError());
}

/* The best of five, in gigabytes (1e9) a second; a copy counts both directions. */
static td_status best_gb_per_s(td_cuda_engine *cuda, void *to, const void *from, uint64_t bytes,
                               double *gb_per_s, td_error *error)
{
    for (int repeat = 0; repeat < 5; repeat++) {
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
        *gb_per_s = rate > *gb_per_s ? rate : *gb_per_s;
    }
    return TD_OK;
}

static td_status cuda_ceilings(td_engine *engine, td_environment *environment, td_error *error)
{
    td_cuda_engine *cuda = of(engine);
    uint64_t left = 0;
    TRY(cuda_free_memory(engine, &left, error));
    const uint64_t wanted = (uint64_t)2 << 30; /* several times any L2 */
    const uint64_t bytes = left / 4 < wanted ? left / 4 / 4096 * 4096 : wanted;
    void *a = NULL, *b = NULL;
    td_status status = TD_CUDA(error, cudaMalloc(&a, bytes));
    if (status == TD_OK) {
        status = TD_CUDA(error, cudaMalloc(&b, bytes));
    }
    if (status == TD_OK) {
        status = best_gb_per_s(cuda, a, NULL, bytes, &environment->fill_gb_per_s, error);
    }
    if (status == TD_OK) {
        status = best_gb_per_s(cuda, b, a, bytes, &environment->copy_gb_per_s, error);
    }
    cudaFree(a);
    cudaFree(b);
    return status;
}

static td_status cuda_survey(td_engine *engine, const td_strategy *strategy, const td_plan *plan,
                             uint32_t *visits, uint64_t places, td_survey *survey, td_error *error)
{
    td_cuda_engine *cuda = of(engine);
    unsigned long long *sums =
        &cuda->tally->checked; /* outside, wrong and first_wrong, one after the other */
    const unsigned long long start[3] = {0, 0, UINT64_MAX};
    unsigned long long found[3];
    const dim3 grid = {(unsigned)(8 * cuda->sms), 1, 1}, block = {THREADS, 1, 1};
    const td_survey empty = {0};
    *survey = empty;
    TRY(cuda_upload(engine, sums, start, sizeof start, error));
    TRY(cuda_fill(engine, visits, 0, places * sizeof *visits, error));
    for (size_t i = 0; i < plan->count; i++) {
        td_launch launch = plan->launches[i];
        void *arguments[] = {&launch, &visits, &sums};
        TRY_CUDA(error, cudaLaunchKernel(td_survey_visit_kernels[strategy->id], grid, block,
                                         arguments, 0, cuda->stream));
        survey->asked += td_launch_blocks(&launch) *
                         (strategy->unit == TD_MAPS_THREADS ? launch.block.x * launch.block.y : 1);
    }
    unsigned long long *wrong = sums + 1, *first = sums + 2;
    void *arguments[] = {&visits, &places, &wrong, &first};
    TRY_CUDA(error, cudaLaunchKernel(td_survey_judge, grid, block, arguments, 0, cuda->stream));
    TRY(cuda_download(engine, found, sums, sizeof found, error));
    survey->outside = found[0];
    survey->wrong = found[1];
    survey->first_wrong = found[2];
    return TD_OK;
}

static bool cuda_is_healthy(td_engine *engine)
{
    return cudaStreamSynchronize(of(engine)->stream) == cudaSuccess &&
           cudaDeviceSynchronize() == cudaSuccess;
}

static void cuda_state(td_engine *engine, td_device_state *state)
{
    td_nvml_state(of(engine)->nvml, state);
}

static double cuda_energy_j(td_engine *engine)
{
    return td_nvml_energy_j(of(engine)->nvml);
}

const td_engine_ops td_cuda_ops = {
    .name = "cuda",
    .open = cuda_open,
    .close = cuda_close,
    .describe = cuda_describe,
    .ceilings = cuda_ceilings,
    .free_memory = cuda_free_memory,
    .allocate = cuda_allocate,
    .release = cuda_release,
    .upload = cuda_upload,
    .download = cuda_download,
    .fill = cuda_fill,
    .launch = cuda_launch,
    .prepare = cuda_prepare,
    .discard = cuda_discard,
    .sample = cuda_sample,
    .flush = cuda_flush,
    .check = cuda_check,
    .count_other = cuda_count_other,
    .visit = cuda_visit,
    .survey = cuda_survey,
    .is_healthy = cuda_is_healthy,
    .state = cuda_state,
    .energy_j = cuda_energy_j,
};
