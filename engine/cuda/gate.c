#include "gate.h"

#include "engine/core/stats.h"
#include "engine/cuda/kernels/gate.h"

enum { TRIES = 3, FLOOR_SAMPLES = 51 };

static const uint64_t limit_ns = 500000000; /* to queue a run, which takes a host microseconds */

/* In pinned host memory, which the device reads and writes in place. */
struct td_gate {
    uint32_t open; /* the ticket that may pass */
    uint32_t late; /* the last ticket that gave up waiting */
    uint32_t ticket;
};

static const dim3 one = {1, 1, 1};

static td_status hold(td_cuda_engine *cuda, td_error *error)
{
    if (cuda->gate == NULL) {
        TRY_CUDA(error, cudaHostAlloc((void **)&cuda->gate, sizeof *cuda->gate, 0));
        *cuda->gate = (struct td_gate){0};
    }
    struct td_gate *gate = cuda->gate;
    const uint32_t *open = &gate->open, *late = &gate->late;
    uint32_t ticket = ++gate->ticket;
    uint64_t limit = limit_ns;
    void *arguments[] = {&open, &late, &ticket, &limit};
    return TD_CUDA(error, cudaLaunchKernel(td_gate_kernel, one, one, arguments, 0, cuda->stream));
}

static void let_go(td_cuda_engine *cuda)
{
    __atomic_store_n(&cuda->gate->open, cuda->gate->ticket, __ATOMIC_RELEASE);
}

static td_status queue_between_events(td_cuda_engine *cuda, td_queue_fn *queue, void *context,
                                      td_error *error)
{
    TRY_CUDA(error, cudaEventRecord(cuda->start, cuda->stream));
    TRY(queue(cuda, context, error));
    return TD_CUDA(error, cudaEventRecord(cuda->stop, cuda->stream));
}

/* One try. *held is false when the stream went on before all was queued. */
static td_status time_once(td_cuda_engine *cuda, td_queue_fn *queue, void *context, double *ms,
                           bool *held, td_error *error)
{
    float elapsed_ms = 0.0f;
    TRY(hold(cuda, error));
    const td_status queued = queue_between_events(cuda, queue, context, error);
    let_go(cuda); /* also after an error: nothing else ends the kernel soon */
    TRY(queued);
    TRY_CUDA(error, cudaEventSynchronize(cuda->stop));
    TRY_CUDA(error, cudaEventElapsedTime(&elapsed_ms, cuda->start, cuda->stop));
    *held = __atomic_load_n(&cuda->gate->late, __ATOMIC_ACQUIRE) != cuda->gate->ticket;
    *ms = (double)elapsed_ms;
    return TD_OK;
}

td_status td_gate_time(td_cuda_engine *cuda, td_queue_fn *queue, void *context, double *ms,
                       td_error *error)
{
    for (int i = 0; i < TRIES; i++) {
        bool held = false;
        TRY(time_once(cuda, queue, context, ms, &held, error));
        if (held) {
            return TD_OK;
        }
    }
    return td_fail(error, TD_FAILED,
                   "--timing isolated: the device did not wait until the run was queued: are "
                   "kernels run one by one, as under a profiler?");
}

static td_status queue_nothing(td_cuda_engine *cuda, void *context, td_error *error)
{
    (void)context;
    return TD_CUDA(error, cudaLaunchKernel(td_empty_kernel, one, one, NULL, 0, cuda->stream));
}

td_status td_cuda_timer_floor(td_engine *engine, td_environment *environment, td_error *error)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    double ms[FLOOR_SAMPLES];
    TRY(queue_nothing(cuda, NULL, error)); /* loads its code */
    for (int i = 0; i < FLOOR_SAMPLES; i++) {
        td_error why;
        if (td_gate_time(cuda, queue_nothing, NULL, &ms[i], &why) != TD_OK) {
            /* The floor stays unknown unless the device broke: only a run timed this way must fail. */
            return TD_CUDA(error, cudaStreamSynchronize(cuda->stream));
        }
    }
    environment->peaks.empty_kernel_ms = td_median(ms, FLOOR_SAMPLES);
    return TD_OK;
}

void td_gate_close(td_cuda_engine *cuda)
{
    if (cuda->gate != NULL) {
        cudaFreeHost(cuda->gate);
        cuda->gate = NULL;
    }
}
