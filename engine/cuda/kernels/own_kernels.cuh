/*
 * own_kernels.cuh - included by a translation unit with the kernels of a workload or a map from a file. These kernels
 * have names of their own, and each is one call of what a built-in kernel runs. See engine/cuda/own_source.h.
 *
 * Both NVRTC and nvcc compile it, so nothing included here may need the standard library or CUB.
 */
#ifndef TD_ENGINE_CUDA_KERNELS_OWN_KERNELS_CUH
#define TD_ENGINE_CUDA_KERNELS_OWN_KERNELS_CUH

#include "check.cuh"
#include "cover.cuh"
#include "one_cell.cuh"
#include "walk.cuh"

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

#endif
