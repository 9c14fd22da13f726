/*
 * own_kernels.cuh - the first include of a translation unit with the kernels of a workload from a file. These kernels
 * have names of their own, and each is one call of what a built-in kernel runs. See engine/cuda/own_kernels.h.
 *
 * Both NVRTC and nvcc compile it, so nothing included here may need the standard library or CUB.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_OWN_KERNELS_CUH
#define TD_ENGINE_CUDA_KERNELS_OWN_KERNELS_CUH

#include "check_counts.cuh"
#include "dynamic.cuh"
#include "dynamic_3d.cuh"

#ifdef __CUDACC_RTC__
/* NVRTC takes everything for device code. It keeps the strategies' descriptors and with them their plans, which are
 * never called but need something to be linked with. */
td_launch td_launch_over(const td_domain *, uint32_t, uint32_t, uint32_t)
{
    return {};
}
void td_plan_add(td_plan *, td_launch)
{
}
void td_plan_append(td_plan *, const td_launch *)
{
}
#endif

/* bounds: launch bounds, a register bound, or nothing. The variadic argument is what runs: an instance of td_run_... */
#define TD_OWN_KERNEL(name, bounds, ...)                                                           \
    __global__ void bounds name(const td_launch launch, const td_data data)                        \
    {                                                                                              \
        __VA_ARGS__(launch, data);                                                                 \
    }

/* A whole-tile kernel, which chooses the map at run time. */
#define TD_OWN_TILE_KERNEL(name, bounds, ...)                                                      \
    __global__ void bounds name(const td_launch launch, const td_data data,                        \
                                const uint32_t strategy)                                           \
    {                                                                                              \
        __VA_ARGS__(launch, data, strategy);                                                       \
    }

#define TD_OWN_CHECK_KERNEL(name, bounds, ...)                                                     \
    __global__ void bounds name(const td_data data, const td_check_shape shape,                    \
                                td_device_counts *sum)                                             \
    {                                                                                              \
        __VA_ARGS__(data, shape, sum);                                                             \
    }

#endif
