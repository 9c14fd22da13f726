/* nccl.h - exchanges halos from GPU to GPU. The library is loaded only where several processes share a domain: all
 * other runs start without it. */
#pragma once

#include "cuda.h"

typedef struct td_nccl td_nccl;

/*
 * td_nccl_open - connect the GPUs of all processes.
 *
 * Output  *nccl: NULL if any process has no NCCL
 * Errors  TD_FAILED with what NCCL says
 */
td_status td_nccl_open(td_engine *engine, td_nccl **nccl, td_error *error);

/* Enqueue the exchange of a halo. Errors: TD_FAILED */
td_status td_nccl_exchange(td_nccl *nccl, const td_halo *halo, void *state, cudaStream_t stream,
                           td_error *error);

void td_nccl_close(td_nccl *nccl);
