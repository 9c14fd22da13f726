/* stamps.cu - a kernel whose blocks record their start and end. */
#include "strategies/strategy.h"
#include "workloads/workload.h"

#include "device_clock.cuh"
#include "stamps.h"

static const unsigned long long stay_ns = 10000;

static __global__ void stamps_kernel(td_launch launch, td_data data)
{
    td_stamps *stamps = (td_stamps *)data.output;
    (void)launch;
    if (threadIdx.x != 0 || threadIdx.y != 0) {
        return;
    }
    const unsigned long long began_ns = now_ns();
    unsigned long long ended_ns = began_ns;
    while (ended_ns - began_ns < stay_ns) {
        ended_ns = now_ns();
    }
    atomicMin(&stamps->first_ns, began_ns);
    atomicMax(&stamps->last_ns, ended_ns);
    atomicAdd(&stamps->blocks, 1ull);
}

const void *const td_stamps_kernel = (const void *)stamps_kernel;
