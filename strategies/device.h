/*
 * device.h - all that differs between gcc and nvcc: names for the same thing, and instructions that only a GPU has.
 *
 * Both compilers get the same text of every other header in this folder and in the folders that include it: the common
 * part of C11 and C++20.
 */
#ifndef TD_STRATEGIES_DEVICE_H
#define TD_STRATEGIES_DEVICE_H

#include <math.h>
#include <stdint.h>

/* TD_FN: functions for host and device. TD_CONSTANT_FN: those that nvcc can call at compile time, too. TD_DESCRIPTOR:
 * descriptors, whose facts are constants in kernels. For nvcc none of them is static: profilers then show plain names,
 * and nvcc leaves out what no kernel uses. */
#ifdef __CUDACC__
#define TD_FN inline __host__ __device__
#define TD_CONSTANT_FN constexpr TD_FN
#define TD_RARE inline __noinline__ __host__ __device__
#define TD_DESCRIPTOR inline constexpr
#else
#ifdef __SANITIZE_ADDRESS__ /* it instruments every inlined copy: a file of kernels would compile for many minutes */
#define TD_FN static inline
#else /* a call in a loop over cells would prevent vectorisation */
#define TD_FN static inline __attribute__((always_inline))
#endif
#define TD_CONSTANT_FN TD_FN
#define TD_RARE static inline
#define TD_DESCRIPTOR static const
#endif

/* The initial value of a float32 sum. On a GPU, fma adds zero for free. A host compiler leaves an addition out only
 * if it changes nothing, and x + 0 is not x for x = -0. */
#ifdef __CUDA_ARCH__
#define TD_EMPTY_SUM 0.0f
#else
#define TD_EMPTY_SUM (-0.0f)
#endif

/*
 * td_rsqrtf - 1 / sqrt(x), infinity for 0: one GPU instruction, at most 2 ulp off according to CUDA's manual.
 *
 * CUDA's rsqrtf() wraps the same instruction in four more for subnormal x, which no index produces. On the host it is
 * rounded correctly, which is the best a host can do to stand in for it.
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

/* The cube root of x >= 0 with a relative error of 1e-6, which is 0.004 for x < 2^35: two GPU instructions and a
 * product. */
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

/* 2^x with a relative error of 2^-22: one GPU instruction. */
TD_FN float td_exp2f(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return exp2f(x);
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

/*
 * A product that no compiler fuses with a sum: a fused multiply-add would round a user's numbers differently on a GPU
 * than on a host without one.
 */
TD_FN float td_product(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fmul_rn(a, b);
#else
    return a * b; /* the host is compiled with -ffp-contract=off */
#endif
}

/* 1 / sqrt(p) in double, for p > 0. */
TD_FN double td_rsqrt(double p)
{
#ifdef __CUDA_ARCH__
    return rsqrt(p);
#else
    return 1.0 / sqrt(p);
#endif
}

/*
 * td_tensor_steps - (x + q step, y + 2 q step): the product of the row (1, q) and the columns (x, step), (y, 2 step).
 *
 * On a GPU, a full warp whose threads all ask for their own block (x, y) lets tensor cores compute it: one instruction,
 * in which all rows are (1, q) and the two columns alternate, so that each thread finds both sums in its own registers.
 * Threads that ask for other blocks, or are too few, multiply and add by themselves.
 *
 * Exact  for x, y, q and 2 step up to 2048, the whole numbers that f16 has all of; the sums are float32
 */
TD_FN void td_tensor_steps(uint32_t q, uint32_t step, uint32_t *x, uint32_t *y)
{
#if __CUDA_ARCH__ >= 800
    if (*x == blockIdx.x && *y == blockIdx.y && __activemask() == ~0u) {
        /* A thread has two of eight elements, which lane % 4 selects, of rows lane / 4 and lane / 4 + 8 of A and of
         * column lane / 4 of B. The last six are 0 in A. */
        uint32_t lane, row, column;
        asm("mov.u32 %0, %%laneid;" : "=r"(lane));
        const bool even = lane / 4 % 2 == 0;
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(row) : "f"((float)q), "f"(1.0f));
        asm("cvt.rn.f16x2.f32 %0, %1, %2;"
            : "=r"(column)
            : "f"((float)(even ? step : 2 * step)), "f"((float)(even ? *x : *y)));
        row = lane % 4 == 0 ? row : 0;
        float sum[4];
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                     "{%4, %4}, {%5}, {%6, %6, %6, %6};"
                     : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
                     : "r"(row), "r"(column), "f"(0.0f));
        *x = (uint32_t)sum[0];
        *y = (uint32_t)sum[1];
        return;
    }
#endif
    *x += q * step;
    *y += 2 * q * step;
}

TD_FN uint32_t td_count_bits(uint32_t bits)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc((int)bits);
#else
    return (uint32_t)__builtin_popcount(bits);
#endif
}

TD_FN void td_atomic_increment(uint32_t *counter)
{
#ifdef __CUDA_ARCH__
    atomicAdd(counter, 1u);
#else
    __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
#endif
}

/* A store by several threads to one address, without a data race on the host. */
TD_FN void td_store_shared(uint32_t *at, uint32_t value)
{
#ifdef __CUDA_ARCH__
    *at = value;
#else
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
#endif
}

/*
 * Hide a pointer into global memory from nvcc's address arithmetic: nvcc would share parts of address sums among the
 * arrays, or the rows, of a cell, which costs more additions than it saves.
 */
TD_FN char *td_fixed(char *at)
{
#ifdef __CUDA_ARCH__
    asm("mov.b64 %0, %0;" : "+l"(at));
    __builtin_assume(__isGlobal(at));
#endif
    return at;
}

/* A pointer that is known to point into global memory. */
TD_FN char *td_global(char *at)
{
#ifdef __CUDA_ARCH__
    __builtin_assume(__isGlobal(at));
#endif
    return at;
}

/*
 * Store without allocating in L1 what the launch does not read back: results kept there would evict the input, which
 * many cells share. Maps whose blocks jump gain most (H200, N = 30720, edm1: rec 10 %, rb-b 8 %, ltm-i nothing).
 */
TD_FN void td_store_float(float *at, float value)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.global.L1::no_allocate.f32 [%0], %1;" ::"l"(at), "f"(value) : "memory");
#else
    *at = value;
#endif
}

TD_FN void td_store_byte(uint8_t *at, uint32_t value)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.global.L1::no_allocate.u8 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#else
    *at = (uint8_t)value;
#endif
}

/* Load a value that no cell of a launch writes, so that the compiler may move the load ahead of stores. */
TD_FN float td_load(const float *value)
{
#ifdef __CUDA_ARCH__
    return __ldg(value);
#else
    return *value;
#endif
}

TD_FN uint32_t td_load_u32(const uint32_t *value)
{
#ifdef __CUDA_ARCH__
    return __ldg(value);
#else
    return *value;
#endif
}

/* Loads an element whose neighbours in memory other blocks want soon: 256 bytes around it go to L2. */
TD_FN int32_t td_load_with_neighbours(const int32_t *at)
{
#if __CUDA_ARCH__ >= 800
    int32_t value;
    asm volatile("ld.global.L2::256B.s32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
#else
    return *at;
#endif
}

/* Prefetch the sector of an address into L2. */
TD_FN void td_prefetch(const void *at)
{
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#else
    (void)at;
#endif
}

#ifdef __CUDACC__

/* Like td_store_float, four at once. Input: a 16-byte aligned address. */
__device__ inline void td_store_float4(float *at, float4 v)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.global.L1::no_allocate.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(v.x),
                 "f"(v.y), "f"(v.z), "f"(v.w)
                 : "memory");
#else
    *(float4 *)at = v;
#endif
}

/* Like td_store_byte, eight at once. Input: an 8-byte aligned address. */
__device__ inline void td_store_uint2(uint8_t *at, uint2 v)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.global.L1::no_allocate.v2.u32 [%0], {%1, %2};" ::"l"(at), "r"(v.x), "r"(v.y)
                 : "memory");
#else
    *(uint2 *)at = v;
#endif
}

/* Copy 16 bytes from global to shared memory; they arrive by td_wait_copies. Input: both addresses 16-byte aligned. */
__device__ inline void td_copy_async(void *shared, const void *global)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(shared)),
                 "l"(global)
                 : "memory");
#else
    *(int4 *)shared = *(const int4 *)global;
#endif
}

/* Wait for this thread's td_copy_async. */
__device__ inline void td_wait_copies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/*
 * Copy bytes from shared to global memory with the copy engine: one instruction of one thread for thousands of bytes.
 *
 * Input   both addresses and the number of bytes are multiples of 16; td_bulk_ready was called after the bytes were
 *         written to shared memory
 */
__device__ inline void td_bulk_store(void *to, const void *shared, uint32_t bytes)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"((uint32_t)__cvta_generic_to_shared(shared)), "r"(bytes)
                 : "memory");
#else
    for (uint32_t i = 0; i < bytes / 16; i++) {
        ((int4 *)to)[i] = ((const int4 *)shared)[i];
    }
#endif
}

/* Make what the block's threads wrote to shared memory visible to td_bulk_store. All threads call it. */
__device__ inline void td_bulk_ready()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    __syncthreads();
}

/* Wait until this thread's bulk stores have read shared memory, which may then be overwritten or released. */
__device__ inline void td_bulk_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
}

/* a.x b.x + a.y b.y + a.z b.z + a.w b.w + sum, of signed bytes. */
__device__ inline int32_t td_dot4(int32_t a, int32_t b, int32_t sum)
{
#ifdef __CUDA_ARCH__
    return __dp4a(a, b, sum);
#else
    for (int i = 0; i < 32; i += 8) {
        sum += (int8_t)((uint32_t)a >> i) * (int8_t)((uint32_t)b >> i);
    }
    return sum;
#endif
}

/* The maximum over a warp, in every lane. All lanes call it. */
__device__ inline int32_t td_warp_most(int32_t value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(0xffffffffu, value);
#else
    for (int offset = 16; offset > 0; offset /= 2) {
        value = max(value, __shfl_xor_sync(0xffffffffu, value, offset));
    }
    return value;
#endif
}

/* The sum over a warp, in every lane. All lanes call it. */
__device__ inline double td_sum_of_warp(double value)
{
    for (uint32_t distance = 16; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(~0u, value, distance);
    }
    return value;
}

/* Byte i of the result is byte s of (b, a), where s is hexadecimal digit i of Select, counted from the lowest; for s
 * + 8 it is the sign of byte s, eight times. */
template <uint32_t Select>
__device__ inline uint32_t td_permute(uint32_t a, uint32_t b)
{
    uint32_t bytes = 0;
#ifdef __CUDA_ARCH__
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(a), "r"(b), "n"(Select));
#else
    for (int i = 0; i < 4; i++) {
        const uint32_t select = Select >> 4 * i & 15;
        const uint32_t byte = (uint32_t)(((uint64_t)b << 32 | a) >> 8 * (select & 7)) & 0xff;
        bytes |= (select < 8 ? byte : byte >> 7 ? 0xffu : 0u) << 8 * i;
    }
#endif
    return bytes;
}

#endif

#endif
