/* halo.h - the rows at a cut: computed first, then exchanged with the neighbours while all other rows are computed. */
#pragma once

#include "cuda.h"

/* Connect the GPUs of all processes through NCCL if all of them have it; see td_engine_ops. */
td_status td_cuda_halo_connect(td_engine *engine, const char **transport, td_error *error);

/* Begin a step: work on *edges starts once everything enqueued so far is done. */
td_status td_cuda_halo_fork(td_cuda_engine *cuda, cudaStream_t *edges, td_error *error);

/* After the rows at the cuts: send them and receive the neighbours' rows. state: the address that its first element
 * would have. */
td_status td_cuda_halo_exchange(td_cuda_engine *cuda, const td_halo *halo, void *state,
                                td_error *error);

/* End a step: work enqueued from here on waits for both streams. */
td_status td_cuda_halo_join(td_cuda_engine *cuda, td_error *error);

/* Begin a sample, in which there may be no exchange. */
void td_cuda_halo_forget(td_cuda_engine *cuda);

/* The time of the last exchange; see td_engine_ops. */
double td_cuda_exchange_ms(td_engine *engine);

void td_cuda_halo_close(td_cuda_engine *cuda);
