#include "call.h"

#include <string.h>

td_status td_cuda_status(cudaError_t code, const char *call, const char *file, int line,
                         td_error *error)
{
    if (code == cudaSuccess) {
        return TD_OK;
    }
    const char *base = strrchr(file, '/');
    const td_status status = code == cudaErrorMemoryAllocation ? TD_NO_MEMORY : TD_FAILED;
    cudaGetLastError(); /* clears a non-sticky error, so that the next call is checked by itself */
    return td_fail(error, status, "%s: %s (%s:%d: %.120s)", cudaGetErrorName(code),
                   cudaGetErrorString(code), base != NULL ? base + 1 : file, line, call);
}
