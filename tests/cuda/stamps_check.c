#include "stamps_check.h"

#include "engine/cuda/cuda.h" /* before headers with a type called shape */

#include "both_engines.h"
#include "engine/prepare/planning.h"
#include "stamps.h"

static const td_stamps unset = {.first_ns = UINT64_MAX};
static bool stamps; /* instead of the workloads' kernels */

/* Replaces the engine's function at link time: see CUDA_TEST_WRAPS. */
const td_kernels *__real_td_kernels_of(const td_workload *workload, bool blocked);
const td_kernels *__wrap_td_kernels_of(const td_workload *workload, bool blocked);
const td_kernels *__wrap_td_kernels_of(const td_workload *workload, bool blocked)
{
    static td_kernels stamped;
    for (size_t s = 0; s < TD_STRATEGY_COUNT; s++) {
        stamped.of[TD_PACKED_CELLS][s] = stamped.of[TD_ANY_CELLS][s] = td_stamps_kernel;
    }
    return stamps ? &stamped : __real_td_kernels_of(workload, blocked);
}

/* One block that records its start and end, on the stream of the samples. */
static td_status queue_stamp(td_cuda_engine *cuda, td_stamps *memory, td_error *error)
{
    const dim3 one = {1, 1, 1};
    td_launch launch = {0};
    td_data data = {.output = memory};
    void *arguments[] = {&launch, &data};
    return TD_CUDA(error, cudaLaunchKernel(td_stamps_kernel, one, one, arguments, 0, cuda->stream));
}

static td_status take_sample(td_engine *engine, td_prepared *prepared, td_stamps *around,
                             double *batch_ms, td_error *error)
{
    TRY(queue_stamp(td_cuda_of(engine), &around[0], error));
    TRY(engine->ops->sample(engine, prepared, batch_ms, error));
    return queue_stamp(td_cuda_of(engine), &around[1], error);
}

/* Takes a sample after another one, which loads the code. Input: around, two td_stamps on the device */
static td_status stamp(td_engine *engine, td_prepared *prepared, void *output, td_stamps *around,
                       td_stamped *found, td_error *error)
{
    const td_stamps both_unset[2] = {unset, unset};
    td_stamps inner, outer[2];
    for (int i = 0; i < 2; i++) {
        TRY(engine->ops->upload(engine, output, &unset, sizeof unset, error));
        TRY(engine->ops->upload(engine, around, both_unset, sizeof both_unset, error));
        TRY(take_sample(engine, prepared, around, &found->batch_ms, error));
    }
    TRY(engine->ops->download(engine, &inner, output, sizeof inner, error));
    TRY(engine->ops->download(engine, outer, around, sizeof outer, error));
    found->inner_ms = (double)(inner.last_ns - inner.first_ns) * 1e-6;
    found->outer_ms = (double)(outer[1].first_ns - outer[0].last_ns) * 1e-6;
    found->blocks = inner.blocks;
    return TD_OK;
}

td_status td_stamps_check(td_engine *engine, uint32_t batch, bool graph, td_stamped *found,
                          td_error *error)
{
    const shape square = {{16, 16, 1}, 16};
    td_run run = td_make_run(td_strategy_find("bb"), td_workload_find("write", 2), 256, square);
    td_plan plan = {0};
    td_buffers buffers = {0};
    td_prepared *prepared = NULL;
    void *around = NULL;
    run.engine = engine->ops;
    stamps = true;
    td_status status = td_run_plan(&run, false, &plan, error);
    if (status == TD_OK) {
        status = td_buffers_open(engine, run.workload, &run.problem, &buffers, error);
    }
    if (status == TD_OK) {
        status = engine->ops->allocate(engine, 2 * sizeof unset, &around, error);
    }
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&buffers, &run, &plan);
        status = engine->ops->prepare(engine, &execution, batch, graph, &prepared, error);
    }
    if (status == TD_OK) {
        status = stamp(engine, prepared, buffers.output[0].output, around, found, error);
    }
    found->blocks_queued = plan.blocks * batch;
    stamps = false;
    if (prepared != NULL) {
        engine->ops->discard(engine, prepared);
    }
    engine->ops->release(engine, around);
    td_buffers_close(&buffers);
    td_plan_free(&plan);
    return status;
}
