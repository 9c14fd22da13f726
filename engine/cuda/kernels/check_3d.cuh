/* check_3d.cuh - checks every cell of a tetrahedron. */
#ifndef TD_ENGINE_CUDA_KERNELS_CHECK_3D_CUH
#define TD_ENGINE_CUDA_KERNELS_CHECK_3D_CUH

#include "check_counts.cuh"

/* Check every cell of the tetrahedron. In the full layout the rest of the cube is compared with the poison. */
template <td_check3_fn *Check>
__device__ inline void td_run_check_3d(const td_data &data, const td_check_shape &shape,
                                       td_device_counts *sum)
{
    td_counts mine = {};
    td_start_counts();
    for (uint32_t z = blockIdx.z; z < data.n; z += gridDim.z) {
        const uint32_t end_y = shape.poisoned_outside ? data.n : z + 1;
        for (uint32_t y = blockIdx.y; y < end_y; y += gridDim.y) {
            const uint32_t end = y <= z ? z - y + 1 : 0;
            const uint64_t row = ((uint64_t)z * data.n + y) * data.n;
            td_for_each(
                0, end, threadIdx.x, blockDim.x, [&](uint32_t x) { return Check(&data, x, y, z); },
                [&](uint32_t, const td_verdict &verdict) {
                    td_add_verdict(&mine, verdict, ~0ull);
                });
            td_for_each(
                end, shape.poisoned_outside ? data.n : 0, threadIdx.x, blockDim.x,
                [&](uint32_t x) { return td_touched(data, shape, row + x); },
                [&](uint32_t, uint32_t touched) { td_add_touched(touched); });
        }
    }
    td_add_counts(sum, mine);
}

template <td_check3_fn *Check>
__global__ void td_check_kernel_3d(const td_data data, const td_check_shape shape,
                                   td_device_counts *sum)
{
    td_run_check_3d<Check>(data, shape, sum);
}

#endif
