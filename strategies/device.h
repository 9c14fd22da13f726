/*
 * device.h - where gcc and nvcc part: what each calls the same thing, and the instructions that only a GPU has.
 *
 * Both compile every other header of this folder, and of those that include it, as the same text: the common part of
 * C11 and C++20.
 */
#ifndef TD_STRATEGIES_DEVICE_H
#define TD_STRATEGIES_DEVICE_H

#include <math.h>
#include <stdint.h>

/* Functions for both sides, and descriptors, whose facts are constants in kernels. Not static for nvcc: profilers show
 * plain names, and what no kernel uses is left out. */
#ifdef __CUDACC__
#define TD_FN inline __host__ __device__
#define TD_DESCRIPTOR inline constexpr
#else
#define TD_FN static inline
#define TD_DESCRIPTOR static const
#endif

/*
 * td_rsqrtf - 1 / sqrt(x) for x >= 1/4: one instruction of the GPU, at most 2 ulp off by CUDA's manual.
 *
 * CUDA's rsqrtf() wraps the same instruction in four more for subnormal x, which no index makes.
 * On the host it is rounded correctly, which is the best a host can do to stand in for it.
 */
TD_FN float td_rsqrtf(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return (float)(1.0 / sqrt((double)x));
#endif
}

/* The cube root of x >= 0 to 1e-6 relative, which for x < 2^35 is 0.004: two instructions of the
 * GPU and a product. */
TD_FN float td_cbrtf(float x)
{
#ifdef __CUDA_ARCH__
    float log2, root;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log2) : "f"(x));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(log2 * (1.0f / 3.0f)));
    return root;
#else
    return cbrtf(x);
#endif
}

/* floor(log2(x)), x > 0. */
TD_FN uint32_t td_log2_floor(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return 31u - (uint32_t)__clz((int)x);
#else
    return 31u - (uint32_t)__builtin_clz(x);
#endif
}

#endif
