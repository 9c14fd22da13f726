/* util.cu - the one kernel that has neither map nor cell: counting bytes that differ. */
#include "tally.cuh"
#include "util.h"

static __global__ void count_other_kernel(const uint8_t *memory, uint32_t byte, uint64_t bytes,
                                          td_device_tally *sum)
{
    td_device_tally mine = {};
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < bytes; i += stride) {
        mine.touched_outside += memory[i] != byte;
    }
    td_add_tally(sum, mine);
}

const void *const td_count_other_kernel = (const void *)count_other_kernel;
