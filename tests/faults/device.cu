/* device.cu - kernels that go wrong on the GPU itself. */
#include "device.h"

static __global__ void illegal()
{
    *(volatile int *)8 = 1;
}

static __global__ void endless()
{
    volatile int spins = 0;
    while (spins >= 0) {
        spins = 0;
    }
}

const void *const td_fault_illegal = (const void *)illegal;
const void *const td_fault_endless = (const void *)endless;
