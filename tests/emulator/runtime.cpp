/*
 * runtime.cpp - the CUDA runtime for one device, which is the CPU. Work on any stream stays queued until somebody waits
 * for it. Then all of it runs in the order of submission, which satisfies every stream and event.
 */
#include "cuda_runtime_api.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <stdexcept>
#include <vector>

#include <malloc.h>

#include "block.h"
#include "launch.h"

struct CUevent_st {
    std::chrono::steady_clock::time_point at;
};

struct CUgraph_st {
    std::vector<std::function<void()>> nodes; /* each after its dependencies */
};

struct CUgraphExec_st : CUgraph_st {
};

namespace
{

constexpr size_t memory_bytes = (size_t)256 << 20;
constexpr unsigned most_threads = 1024, most_blocks_yz = 65535;
constexpr int usual_shared = 48 << 10, most_shared = 227 << 10;

std::deque<std::function<void()>> queue;
std::map<const void *, int> allowed_shared; /* of kernels that may have more than the usual */
cudaError_t sticky = cudaSuccess, last = cudaSuccess;
size_t pending_launches = 2048;
size_t taken_bytes = 0; /* of the device's memory */

cudaError_t ended_with(cudaError_t code)
{
    last = code != cudaSuccess ? code : last;
    return code;
}

/* A fault discards all later work, as on a device. */
cudaError_t run_all()
{
    while (!queue.empty() && sticky == cudaSuccess) {
        const auto next = std::move(queue.front());
        queue.pop_front();
        try {
            next();
        } catch (const std::runtime_error &e) {
            std::fprintf(stderr, "emulator: %s\n", e.what());
            sticky = cudaErrorLaunchFailure;
        }
    }
    queue.clear();
    return ended_with(sticky);
}

cudaError_t enqueue(std::function<void()> work)
{
    if (sticky == cudaSuccess) {
        queue.push_back(std::move(work));
    }
    return ended_with(sticky);
}

bool fits(dim3 grid, dim3 block)
{
    const uint64_t threads = (uint64_t)block.x * block.y * block.z;
    return threads >= 1 && threads <= most_threads && block.z <= 64 && grid.x >= 1 && grid.y >= 1 &&
           grid.z >= 1 && grid.x <= 2147483647u && grid.y <= most_blocks_yz &&
           grid.z <= most_blocks_yz;
}

cudaError_t grid_of(const void *kernel, dim3 grid, dim3 block, size_t shared, void **arguments,
                    std::function<void()> *work)
{
    const auto allowed = allowed_shared.find(kernel);
    const int most = allowed != allowed_shared.end() ? allowed->second : usual_shared;
    if (!fits(grid, block) || shared > (size_t)most) {
        return ended_with(cudaErrorInvalidConfiguration);
    }
    const std::function<void()> thread = emulator::bind(kernel, arguments);
    if (!thread) {
        return ended_with(cudaErrorInvalidDeviceFunction);
    }
    *work = [=] {
        emulator::shared_memory.assign(shared, 0xff);
        emulator::run_grid(grid, block, thread);
        emulator::run_fired();
    };
    return cudaSuccess;
}

} // namespace

/* ---- what went wrong ---- */

/* Its number is that of cuda_runtime_api.h. */
const char *cudaGetErrorName(cudaError_t code)
{
    static char text[32];
    std::snprintf(text, sizeof text, "cudaError %d", (int)code);
    return text;
}

const char *cudaGetErrorString(cudaError_t code)
{
    return cudaGetErrorName(code);
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t code = last;
    last = sticky;
    return code;
}

/* ---- the device ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    *p = {};
    std::snprintf(p->name, sizeof p->name, "emulated GPU");
    p->totalGlobalMem = memory_bytes;
    p->major = 9;
    p->multiProcessorCount = 2;
    p->l2CacheSize = 1 << 20;
    return device == 0 ? cudaSuccess : ended_with(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int)
{
    std::snprintf(id, (size_t)size, "0000:00:00.0");
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return device == 0 ? cudaSuccess : ended_with(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return run_all();
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit)
{
    *value = pending_launches;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t value)
{
    pending_launches = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = *greatest = 0;
    return cudaSuccess;
}

/* ---- memory ---- */

cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    *left = memory_bytes - taken_bytes;
    *total = memory_bytes;
    return cudaSuccess;
}

/* Fresh memory is filled with a pattern, so that unwritten memory is not 0. */
static cudaError_t allocate(void **memory, size_t bytes, size_t available)
{
    *memory = bytes <= available ? std::aligned_alloc(256, (bytes + 255) / 256 * 256) : nullptr;
    if (*memory == nullptr) {
        return ended_with(cudaErrorMemoryAllocation);
    }
    std::memset(*memory, 0xcd, bytes);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    const cudaError_t code = allocate(memory, bytes, memory_bytes - taken_bytes);
    taken_bytes += code == cudaSuccess ? malloc_usable_size(*memory) : 0;
    return code;
}

cudaError_t cudaFree(void *memory)
{
    const cudaError_t code = run_all();
    taken_bytes -= memory != nullptr ? malloc_usable_size(memory) : 0;
    std::free(memory);
    return code;
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    return allocate(memory, bytes, memory_bytes);
}

cudaError_t cudaFreeHost(void *memory)
{
    const cudaError_t code = run_all();
    std::free(memory);
    return code;
}

/* As if the clock of all devices were 1 GHz. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr, int)
{
    *value = 1000000;
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind,
                            cudaStream_t)
{
    return enqueue([=] { std::memcpy(to, from, bytes); });
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t bytes, cudaStream_t)
{
    return enqueue([=] { std::memset(memory, byte, bytes); });
}

/* ---- streams and events ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned)
{
    *stream = (cudaStream_t)std::malloc(1);
    return *stream != nullptr ? cudaSuccess : ended_with(cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int)
{
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    const cudaError_t code = run_all();
    std::free(stream);
    return code;
}

cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return run_all();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = new CUevent_st{};
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned)
{
    return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    const cudaError_t code = run_all();
    delete event;
    return code;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    return enqueue([=] { event->at = std::chrono::steady_clock::now(); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return run_all();
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
    *ms = std::chrono::duration<float, std::milli>(stop->at - start->at).count();
    return cudaSuccess;
}

/* ---- kernels and graphs ---- */

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute, int value)
{
    if (value > most_shared) {
        return cudaErrorInvalidValue;
    }
    allowed_shared[kernel] = value;
    return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *)
{
    attributes->maxThreadsPerBlock = most_threads;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *, int, size_t)
{
    *blocks = 2;
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t)
{
    std::function<void()> work;
    const cudaError_t code = grid_of(kernel, grid, block, shared, arguments, &work);
    emulator::trace("kernel");
    return code == cudaSuccess ? enqueue(work) : code;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned)
{
    *graph = new CUgraph_st{};
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *, size_t,
                                   const struct cudaKernelNodeParams *p)
{
    std::function<void()> work;
    const cudaError_t code =
        grid_of(p->func, p->gridDim, p->blockDim, p->sharedMemBytes, p->kernelParams, &work);
    if (code == cudaSuccess) {
        graph->nodes.push_back(work);
        *node = (cudaGraphNode_t)graph->nodes.size(); /* its number, never 0 */
    }
    return code;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long)
{
    *exec = new CUgraphExec_st{*graph};
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t)
{
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t)
{
    cudaError_t code = sticky;
    for (const auto &node : exec->nodes) {
        code = enqueue(node);
    }
    return ended_with(code);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    const cudaError_t code = run_all();
    delete exec;
    return code;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}
