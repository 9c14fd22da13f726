/* fault.cu - kernels with one error each, in a child process, as tribench runs its kernels. */
#include "tests/cuda/fault.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

enum { THREADS = 64, WORDS = 4 }; /* two warps */

/* Writes one word past its memory, where the allocator still has a block. */
__global__ void out_of_bounds(volatile uint32_t *words)
{
    words[WORDS] = 1;
}

/* Both warps write and read one word of shared memory. */
__global__ void race(volatile uint32_t *words)
{
    __shared__ volatile uint32_t sum;
    sum = threadIdx.x;
    words[0] = sum + threadIdx.x;
}

__global__ void uninitialized(volatile uint32_t *words)
{
    words[0] = words[1];
}

/* Half of the second warp skips a barrier at which the others wait, and stays busy, since ended threads would count as
 * waiting. Then the upper half of each warp synchronizes with a mask that excludes it. */
__global__ void divergent(volatile uint32_t *words)
{
    if (threadIdx.x < THREADS - 16) {
        __syncthreads();
    } else {
        for (uint32_t i = 0; i < 10000; i++) {
            words[1] = i;
        }
    }
    __syncwarp(0xffffu);
    words[0] = 1;
}

typedef void kernel(volatile uint32_t *words);

struct fault {
    const char *tool;
    kernel *launched;
};

const fault faults[] = {{"memcheck", out_of_bounds},
                        {"racecheck", race},
                        {"initcheck", uninitialized},
                        {"synccheck", divergent}};

/* A sanitizer may end the kernel at its error, so CUDA's errors after the launch are ignored. */
int launch(kernel *launched)
{
    uint32_t *words = NULL;
    const cudaError_t status = cudaMalloc((void **)&words, WORDS * sizeof *words);
    if (status != cudaSuccess) {
        fprintf(stderr, "cuda_check: --fault: %s\n", cudaGetErrorString(status));
        return 1;
    }
    launched<<<1, THREADS>>>(words);
    (void)cudaDeviceSynchronize();
    (void)cudaFree(words);
    return 0;
}

} // namespace

int td_fault_run(const char *tool)
{
    for (const fault &f : faults) {
        if (strcmp(f.tool, tool) == 0) {
            const pid_t child = fork();
            if (child == 0) {
                _exit(launch(f.launched));
            }
            int status = 1;
            const bool ended = child > 0 && waitpid(child, &status, 0) == child;
            return ended && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        }
    }
    fprintf(stderr, "cuda_check: --fault: there is none for '%s'\n", tool);
    return 2;
}
