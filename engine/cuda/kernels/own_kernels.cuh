/*
 * own_kernels.cuh - what a translation unit begins with whose kernels are those of a workload from a file: they have
 * names of their own, and each is one call of what built-in kernels run. See engine/cuda/own_kernels.h.
 *
 * NVRTC compiles it as well as nvcc: nothing that is included here needs the standard library, or CUB.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_OWN_KERNELS_CUH
#define TD_ENGINE_CUDA_KERNELS_OWN_KERNELS_CUH

#include "check_counts.cuh"
#include "dynamic.cuh"
#include "dynamic_3d.cuh"

#ifdef __CUDACC_RTC__
/* NVRTC, to which all is the device's, keeps the strategies' descriptors and with them plans, which nobody calls: they
 * need something to be linked with. */
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

/* Bounds: of launches or registers, or nothing. The dots are what runs: an instance of td_run_... */
#define TD_OWN_KERNEL(name, bounds, ...)                                                           \
    __global__ void bounds name(const td_launch launch, const td_data data)                        \
    {                                                                                              \
        __VA_ARGS__(launch, data);                                                                 \
    }

/* A kernel for whole tiles, which chooses the map while it runs. */
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
