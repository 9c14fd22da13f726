/* spin.cu - a kernel of a known duration. */
#include "device_clock.cuh"
#include "spin.h"

static __global__ void spin_kernel(int64_t cycles, uint64_t *ns)
{
    const uint64_t start_ns = now_ns();
    const int64_t start = clock64();
    while (clock64() - start < cycles) {
    }
    *ns = now_ns() - start_ns;
}

const void *const td_spin_kernel = (const void *)spin_kernel;
