/* gate.h - times work queued on a stream, without the time that the host takes to queue it. */
#pragma once

#include "cuda.h"

/* Queues the work to be timed on cuda->stream, and waits for nothing. */
typedef td_status td_queue_fn(td_cuda_engine *cuda, void *context, td_error *error);

/*
 * td_gate_time - device time of the work that `queue` queues, from an event before it to an event after it. All of it
 * is in the stream before any of it starts.
 *
 * A one-thread kernel that polls a word in host memory holds the stream back. cuStreamWaitValue32 would need no kernel,
 * but not every GPU that CUDA runs on has it, and it waits forever if the host dies or blocks in `queue`. The kernel
 * gives up after half a second. It has ended before the first event is recorded.
 *
 * Input   queue: at most a few hundred launches, with all code already loaded, because the host must not have to wait
 *         for the device
 * Errors  TD_FAILED, also when the stream could not be held back long enough, as under a profiler that runs kernels
 *         one by one
 */
td_status td_gate_time(td_cuda_engine *cuda, td_queue_fn *queue, void *context, double *ms,
                       td_error *error);

/* The timer_floor operation of td_engine_ops: the td_gate_time of a kernel that does nothing. */
td_status td_cuda_timer_floor(td_engine *engine, td_environment *environment, td_error *error);

void td_gate_close(td_cuda_engine *cuda);
