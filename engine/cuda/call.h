/* call.h - turns the failure of a CUDA call into a sentence. */
#pragma once

#include <cuda_runtime_api.h>

#include "engine/core/error.h"

/* TD_OK, or TD_FAILED (TD_NO_MEMORY for an allocation) with the call, file and line in `error`. */
td_status td_cuda_status(cudaError_t code, const char *call, const char *file, int line,
                         td_error *error);

#define TD_CUDA(error, call) td_cuda_status((call), #call, __FILE__, __LINE__, (error))

/* Returns from the caller when the call fails. */
#define TRY_CUDA(error, call)                                                                      \
    do {                                                                                           \
        const td_status try_status_ = TD_CUDA(error, call);                                        \
        if (try_status_ != TD_OK) {                                                                \
            return try_status_;                                                                    \
        }                                                                                          \
    } while (0)
