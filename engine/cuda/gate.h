/* gate.h - timing what is queued on a stream without the time that the host takes to queue it. */
#ifndef TD_ENGINE_CUDA_GATE_H
#define TD_ENGINE_CUDA_GATE_H

#include "cuda.h"

/* Queues on cuda->stream what is timed, and waits for nothing. */
typedef td_status td_queue_fn(td_cuda_engine *cuda, void *context, td_error *error);

/*
 * td_gate_time - device time of what `queue` queues, from an event before it to one behind it, all of it in the stream
 * before any of it starts.
 *
 * The stream is held back by a kernel of one thread that polls a word in the host's memory: cuStreamWaitValue32 would
 * not need the kernel, but it is not there on every GPU that CUDA runs on, and a host that dies or blocks in `queue`
 * leaves it waiting for ever. The kernel gives up after half a second. It has ended before the first event is recorded.
 *
 * Input   queue: at most a few hundred launches, all of whose code is loaded: the host must not have to wait for the
 *         device
 * Errors  TD_FAILED, also when the stream could not be held back long enough, as under a profiler that runs kernels
 *         one by one
 */
td_status td_gate_time(td_cuda_engine *cuda, td_queue_fn *queue, void *context, double *ms,
                       td_error *error);

/* The operation of td_engine_ops: what td_gate_time tells of a kernel that does nothing. */
td_status td_cuda_timer_floor(td_engine *engine, td_environment *environment, td_error *error);

void td_gate_close(td_cuda_engine *cuda);

#endif
