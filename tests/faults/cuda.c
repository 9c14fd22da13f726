/* cuda.c - calls of the CUDA runtime that fail when they are told to, and kernels that go wrong. */
#include <cuda_runtime_api.h>

#include "device.h"
#include "faults.h"

#define WRAP(name, parameters, arguments, reason)                                                  \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        return td_fault_is_here(#name) ? reason : __real_##name arguments;                         \
    }

WRAP(cudaGetDeviceCount, (int *items), (items), cudaErrorNoDevice)
WRAP(cudaGetDeviceProperties, (struct cudaDeviceProp * properties, int device),
     (properties, device), cudaErrorUnknown)
WRAP(cudaDeviceGetPCIBusId, (char *id, int size, int device), (id, size, device), cudaErrorUnknown)
WRAP(cudaDeviceGetLimit, (size_t * value, enum cudaLimit limit), (value, limit), cudaErrorUnknown)
WRAP(cudaDriverGetVersion, (int *version), (version), cudaErrorUnknown)
WRAP(cudaRuntimeGetVersion, (int *version), (version), cudaErrorUnknown)
WRAP(cudaSetDevice, (int device), (device), cudaErrorInitializationError)
WRAP(cudaDeviceSetLimit, (enum cudaLimit limit, size_t value), (limit, value),
     cudaErrorInvalidValue)
WRAP(cudaDeviceSynchronize, (void), (), cudaErrorUnknown)
WRAP(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags),
     cudaErrorMemoryAllocation)
WRAP(cudaStreamSynchronize, (cudaStream_t stream), (stream), cudaErrorUnknown)
WRAP(cudaMalloc, (void **memory, size_t bytes), (memory, bytes), cudaErrorMemoryAllocation)
WRAP(cudaMemGetInfo, (size_t * left, size_t *all), (left, all), cudaErrorUnknown)
WRAP(cudaMemsetAsync, (void *memory, int byte, size_t bytes, cudaStream_t stream),
     (memory, byte, bytes, stream), cudaErrorUnknown)
WRAP(cudaMemcpyAsync,
     (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, bytes, kind, stream), cudaErrorUnknown)
WRAP(cudaEventCreate, (cudaEvent_t * event), (event), cudaErrorMemoryAllocation)
WRAP(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags),
     cudaErrorMemoryAllocation)
WRAP(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream), cudaErrorUnknown)
WRAP(cudaEventSynchronize, (cudaEvent_t event), (event), cudaErrorUnknown)
WRAP(cudaEventElapsedTime, (float *ms, cudaEvent_t from, cudaEvent_t to), (ms, from, to),
     cudaErrorUnknown)

/* Puts the faulty kernel before the launch, on the same stream. Without such a kernel, no fault is recorded. */
cudaError_t __real_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, cudaStream_t stream);
static void go_wrong(const char *how, const void *const *kernel, const void *place,
                     cudaStream_t stream)
{
    const dim3 one = {1, 1, 1};
    if (kernel != NULL && td_fault_is_at(how, place)) {
        __real_cudaLaunchKernel(*kernel, one, one, NULL, 0, stream);
    }
}

#define WRAP_LAUNCH(name, parameters, arguments, reason)                                           \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        const void *const place = __builtin_return_address(0);                                     \
        go_wrong("illegal", &td_fault_illegal, place, stream);                                     \
        go_wrong("endless", &td_fault_endless, place, stream);                                     \
        return td_fault_is_at(#name, place) ? reason : __real_##name arguments;                    \
    }

WRAP_LAUNCH(cudaLaunchKernel,
            (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
             cudaStream_t stream),
            (kernel, grid, block, arguments, shared, stream), cudaErrorLaunchOutOfResources)
WRAP_LAUNCH(cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream),
            cudaErrorUnknown)
WRAP(cudaGetLastError, (void), (), cudaErrorLaunchFailure)
WRAP(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
     (int *blocks, const void *kernel, int threads, size_t shared),
     (blocks, kernel, threads, shared), cudaErrorUnknown)
WRAP(cudaFuncGetAttributes, (struct cudaFuncAttributes * attributes, const void *kernel),
     (attributes, kernel), cudaErrorUnknown)
WRAP(cudaFuncSetAttribute, (const void *kernel, enum cudaFuncAttribute attribute, int value),
     (kernel, attribute, value), cudaErrorInvalidValue)
#if CUDART_VERSION >= 12080 /* older ones load no kernels */
WRAP(cudaLibraryLoadFromFile,
     (cudaLibrary_t * library, const char *path, enum cudaJitOption *jit_options, void **jit_values,
      unsigned jit_count, enum cudaLibraryOption *options, void **values, unsigned items),
     (library, path, jit_options, jit_values, jit_count, options, values, items),
     cudaErrorMemoryAllocation)
WRAP(cudaLibraryGetKernel, (cudaKernel_t * kernel, cudaLibrary_t library, const char *symbol),
     (kernel, library, symbol), cudaErrorSymbolNotFound)
#endif
WRAP(cudaGraphCreate, (cudaGraph_t * graph, unsigned flags), (graph, flags),
     cudaErrorMemoryAllocation)
WRAP(cudaGraphAddKernelNode,
     (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *behind, size_t items,
      const struct cudaKernelNodeParams *what),
     (node, graph, behind, items, what), cudaErrorUnknown)
WRAP(cudaGraphInstantiate, (cudaGraphExec_t * made, cudaGraph_t graph, unsigned long long flags),
     (made, graph, flags), cudaErrorMemoryAllocation)
WRAP(cudaGraphUpload, (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream),
     cudaErrorUnknown)
