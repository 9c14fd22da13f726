/* mma.cuh - products of a warp on the tensor cores of compute capability 8.0 and later. */
#ifndef TD_WORKLOADS_MMA_CUH
#define TD_WORKLOADS_MMA_CUH

#include "half.h"

#ifdef __CUDA_ARCH__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

/* Two numbers of 16 bits, the first one in the lower half. */
template <bool Bf16>
__device__ __forceinline__ uint32_t td_two_halves(float low, float high)
{
#ifdef __CUDA_ARCH__
    uint32_t both;
    if constexpr (Bf16) {
        const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
        both = *(const uint32_t *)&pair;
    } else {
        const __half2 pair = __floats2half2_rn(low, high);
        both = *(const uint32_t *)&pair;
    }
    return both;
#else
    return Bf16 ? td_bf16(low) | (uint32_t)td_bf16(high) << 16
                : td_f16(low) | (uint32_t)td_f16(high) << 16;
#endif
}

/*
 * c += a b, 16 rows of 16 numbers times 16 rows of 8. Of lane l, c has row l / 4, columns l % 4 * 2 and the next, then
 * the same of row l / 4 + 8. a has of these rows columns l % 4 * 2 and the next, row after row, then 8 columns further;
 * b of column l / 4 rows l % 4 * 2 and the next, then 8 rows further. PTX ISA, "mma.m16n8k16".
 */
template <bool Bf16>
__device__ __forceinline__ void td_warp_product(float (&c)[4], const uint32_t (&a)[4], uint32_t b0,
                                                uint32_t b1)
{
#if defined(TD_EMULATED)
    td_emulated_product(c, a, b0, b1, [](uint32_t bits) { return td_half_number(bits, !Bf16); });
#elif __CUDA_ARCH__ >= 800
#define TD_WARP_PRODUCT "mma.sync.aligned.m16n8k16.row.col.f32."
#define TD_WARP_OPERANDS ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#define TD_WARP_SUMS "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
#define TD_WARP_FACTORS "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1)
    if constexpr (Bf16) {
        asm volatile(TD_WARP_PRODUCT "bf16.bf16" TD_WARP_OPERANDS:TD_WARP_SUMS : TD_WARP_FACTORS);
    } else {
        asm volatile(TD_WARP_PRODUCT "f16.f16" TD_WARP_OPERANDS:TD_WARP_SUMS : TD_WARP_FACTORS);
    }
#endif
}

#endif
