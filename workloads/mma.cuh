/* mma.cuh - products of a warp on the tensor cores of compute capability 8.0 and later, and copies that feed them. */
#ifndef TD_WORKLOADS_MMA_CUH
#define TD_WORKLOADS_MMA_CUH

#include "half.h"
#include "layout3.h"

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

/* ---- copies to shared memory, which nobody waits for before td_copies_wait ---- */

/* 16 bytes, or zeros if they do not exist. */
__device__ __forceinline__ void td_copy_unit(void *to, const void *from, bool exists)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(exists ? 16 : 0)
                 : "memory");
#else
    *(uint4 *)to = exists ? *(const uint4 *)from : uint4{0, 0, 0, 0};
#endif
}

/* What a thread has copied since the last call becomes a group. */
__device__ __forceinline__ void td_copies_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Wait for all groups of this thread but the last ones, `Behind` of them. */
template <int Behind>
__device__ __forceinline__ void td_copies_wait()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Behind) : "memory");
#endif
}

/*
 * A block's threads copy rows from `first` on, columns from `column` on, of a matrix of 16-bit numbers; zeros beyond.
 * In shared memory a row is followed by 16 bytes, so that those of a warp's product lie in different banks.
 */
template <uint32_t Rows, uint32_t Pitch>
__device__ inline void td_copy_rows(uint16_t (&to)[Rows][Pitch], const uint16_t *matrix,
                                    uint32_t rows, uint32_t columns, uint32_t first,
                                    uint32_t column)
{
    constexpr uint32_t units = (Pitch - 8) / 8; /* of 16 bytes */
    const uint32_t threads = blockDim.x * blockDim.y;
    for (uint32_t i = td_thread_of_block(); i < Rows * units; i += threads) {
        const uint32_t row = first + i / units, at = column + i % units * 8;
        td_copy_unit(&to[i / units][i % units * 8], matrix + (uint64_t)row * columns + at,
                     row < rows && at < columns);
    }
}

#endif
