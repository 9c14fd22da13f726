/* counts.cuh - checking on the device: verdicts of all cells, summed. */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_COUNTS_CUH
#define TD_ENGINE_CUDA_KERNELS_CHECK_COUNTS_CUH

#include "engine/cuda/kernel_table.h"

template <typename T>
__device__ inline T td_warp_sum(T value)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;
}

__device__ inline double td_warp_max(double value)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fmax(value, __shfl_down_sync(0xffffffffu, value, offset));
    }
    return value;
}

/* All threads of the warp call this. */
__device__ inline void td_add_counts(td_device_counts *sum, td_device_counts mine)
{
    mine.checked = td_warp_sum(mine.checked);
    mine.mismatches = td_warp_sum(mine.mismatches);
    mine.touched_outside = td_warp_sum(mine.touched_outside);
    mine.found = td_warp_sum(mine.found);
    mine.max_abs_error = td_warp_max(mine.max_abs_error);
    if ((threadIdx.x & 31u) != 0) {
        return;
    }
    atomicAdd(&sum->checked, mine.checked);
    if (mine.mismatches != 0) {
        atomicAdd(&sum->mismatches, mine.mismatches);
    }
    if (mine.touched_outside != 0) {
        atomicAdd(&sum->touched_outside, mine.touched_outside);
    }
    if (mine.found != 0) {
        atomicAdd(&sum->found, mine.found);
    }
    if (mine.max_abs_error > 0.0) {
        /* bits of non-negative doubles are ordered as the doubles are */
        atomicMax((unsigned long long *)&sum->max_abs_error,
                  (unsigned long long)__double_as_longlong(mine.max_abs_error));
    }
}

__device__ inline void td_add_verdict(td_device_counts *counts, td_verdict verdict)
{
    counts->checked++;
    counts->mismatches += !verdict.ok;
    counts->found += verdict.found;
    counts->max_abs_error = fmax(counts->max_abs_error, verdict.error);
}

/*
 * Every cell of the triangle, row by row and without a map: what is checked cannot share a mistake with
 * what checks.
 * In the full layout the rest of each row is compared with the poison.
 */
template <td_check_fn *Check>
__global__ void td_check_kernel(const td_data data, const td_check_shape shape,
                                td_device_counts *sum)
{
    td_device_counts mine = {};
    for (uint32_t row = blockIdx.y; row < data.n; row += gridDim.y) {
        const uint32_t end = shape.square ? data.n : shape.no_diagonal ? row : row + 1;
        const uint32_t width = shape.poisoned_outside ? data.n : end;
        for (uint32_t col = blockIdx.x * blockDim.x + threadIdx.x; col < width;
             col += gridDim.x * blockDim.x) {
            if (col < end) {
                td_add_verdict(&mine, Check(&data, row, col));
                continue;
            }
            const uint8_t *element = (const uint8_t *)data.output +
                                     (td_row_start(&data, row) + col) * shape.element_bytes;
            for (uint32_t byte = 0; byte < shape.element_bytes; byte++) {
                mine.touched_outside += element[byte] != shape.poison;
            }
        }
    }
    td_add_counts(sum, mine);
}

/* Whether one element of four bytes still holds the poison. */
__device__ inline bool td_is_poisoned(const td_data &data, uint64_t element, uint32_t poison)
{
    return ((const uint32_t *)data.output)[element] == poison * 0x01010101u;
}

/* Every cell of the tetrahedron, or of the cube in the full layout, where elements have four bytes. */
template <td_check3_fn *Check>
__global__ void td_check_kernel_3d(const td_data data, const td_check_shape shape,
                                   td_device_counts *sum)
{
    td_device_counts mine = {};
    for (uint32_t z = blockIdx.z; z < data.n; z += gridDim.z) {
        const uint32_t end_y = shape.poisoned_outside ? data.n : z + 1;
        for (uint32_t y = blockIdx.y; y < end_y; y += gridDim.y) {
            const uint32_t end = y <= z ? z - y + 1 : 0;
            const uint32_t width = shape.poisoned_outside ? data.n : end;
            const uint64_t row = ((uint64_t)z * data.n + y) * data.n;
            for (uint32_t x = threadIdx.x; x < width; x += blockDim.x) {
                if (x < end) {
                    td_add_verdict(&mine, Check(&data, x, y, z));
                } else if (!td_is_poisoned(data, row + x, shape.poison)) {
                    mine.touched_outside += shape.element_bytes;
                }
            }
        }
    }
    td_add_counts(sum, mine);
}

#endif
