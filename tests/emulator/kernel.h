/*
 * kernel.h - nvcc's additions to C++, as far as our kernels use them, for an ordinary C++ compiler. It is included
 * before every .cu file. Meanings follow NVIDIA's CUDA C++ Programming Guide.
 */
#ifndef TD_TESTS_EMULATOR_KERNEL_H
#define TD_TESTS_EMULATOR_KERNEL_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "block.h"

#define TD_EMULATED
#define __CUDACC__ 13
#define __host__
#define __device__
#define __global__
#define __shared__ static /* blocks run one after the other */
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __builtin_assume(condition)                                                                \
    ((condition) ? (void)0 : emulator::fail("what a kernel assumes is not so: " #condition))

#define threadIdx emulator::thread_index
#define blockIdx emulator::block_index
#define blockDim emulator::block_size
#define gridDim emulator::grid_size

struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) uint2 {
    uint32_t x, y;
};
struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};
struct alignas(16) int4 {
    int32_t x, y, z, w;
};

inline float4 make_float4(float x, float y, float z, float w)
{
    return {x, y, z, w};
}
inline uint2 make_uint2(uint32_t x, uint32_t y)
{
    return {x, y};
}
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return {x, y, z, w};
}
inline int4 make_int4(int32_t x, int32_t y, int32_t z, int32_t w)
{
    return {x, y, z, w};
}

/* Also takes mixed signs, as unsigned numbers. */
template <typename A, typename B>
constexpr std::common_type_t<A, B> min(A a, B b)
{
    using type = std::common_type_t<A, B>;
    return (type)b < (type)a ? (type)b : (type)a;
}
template <typename A, typename B>
constexpr std::common_type_t<A, B> max(A a, B b)
{
    using type = std::common_type_t<A, B>;
    return (type)a < (type)b ? (type)b : (type)a;
}

/* ---- bits ---- */

template <typename To, typename From>
To td_emulated_bits(From from)
{
    To to;
    static_assert(sizeof to == sizeof from);
    std::memcpy(&to, &from, sizeof to);
    return to;
}
inline uint32_t __float_as_uint(float v)
{
    return td_emulated_bits<uint32_t>(v);
}
inline float __uint_as_float(uint32_t v)
{
    return td_emulated_bits<float>(v);
}
inline float __saturatef(float v)
{
    return v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f;
}
inline long long __double_as_longlong(double v)
{
    return td_emulated_bits<long long>(v);
}
inline int __popc(uint32_t v)
{
    return __builtin_popcount(v);
}
/* The position of the lowest set bit, counted from 1; 0 if no bit is set. */
inline int __ffs(int v)
{
    return __builtin_ffs(v);
}
/* 32 of the 64 bits of (high, low): l from the top, r from the bottom. The shift is taken modulo 32. */
inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)((((uint64_t)high << 32 | low) << (shift & 31)) >> 32);
}
inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> (shift & 31));
}
/* The same, but the shift is clamped to 32. */
inline uint32_t __funnelshift_rc(uint32_t low, uint32_t high, uint32_t shift)
{
    return (uint32_t)(((uint64_t)high << 32 | low) >> (shift < 32 ? shift : 32));
}

template <typename T>
T __ldg(const T *at)
{
    return *at;
}

/* ---- atomics: one thread runs at a time ---- */

template <typename T>
T atomicAdd(T *at, T value)
{
    const T old = *at;
    *at = old + value;
    return old;
}
template <typename T>
T atomicInc(T *at, T most)
{
    const T old = *at;
    *at = old >= most ? 0 : old + 1;
    return old;
}
template <typename T>
T atomicOr(T *at, T value)
{
    const T old = *at;
    *at = old | value;
    return old;
}
template <typename T>
T atomicMax(T *at, T value)
{
    const T old = *at;
    *at = max(old, value);
    return old;
}
template <typename T>
T atomicMin(T *at, T value)
{
    const T old = *at;
    *at = min(old, value);
    return old;
}

/* ---- threads that wait for one another ---- */

inline void __syncthreads()
{
    emulator::barrier(true);
}
inline int __syncthreads_and(int value)
{
    return emulator::barrier(value != 0);
}

/* The value of the lane that choose(lane, first and last of its segment) returns; its own value if that is no lane. */
template <typename T, typename Choose>
T td_emulated_shuffle(uint32_t mask, T value, int width, const char *what, Choose choose)
{
    static_assert(sizeof(T) <= 8);
    uint64_t given = 0, from[32];
    std::memcpy(&given, &value, sizeof value);
    emulator::exchange(mask, given, what, from);
    const int lane = (int)emulator::lane(), first = lane / width * width;
    const int chosen = choose(lane, first, first + width - 1);
    T taken = value;
    if (chosen >= first && chosen < first + width) {
        std::memcpy(&taken, &from[chosen], sizeof taken);
    }
    return taken;
}
template <typename T>
T __shfl_sync(uint32_t mask, T value, int source, int width = 32)
{
    return td_emulated_shuffle(mask, value, width, "__shfl_sync",
                               [=](int, int first, int) { return first + (source & (width - 1)); });
}
template <typename T>
T __shfl_up_sync(uint32_t mask, T value, unsigned delta, int width = 32)
{
    return td_emulated_shuffle(mask, value, width, "__shfl_up_sync",
                               [=](int lane, int, int) { return lane - (int)delta; });
}
template <typename T>
T __shfl_down_sync(uint32_t mask, T value, unsigned delta, int width = 32)
{
    return td_emulated_shuffle(mask, value, width, "__shfl_down_sync",
                               [=](int lane, int, int) { return lane + (int)delta; });
}
template <typename T>
T __shfl_xor_sync(uint32_t mask, T value, int flip, int width = 32)
{
    return td_emulated_shuffle(mask, value, width, "__shfl_xor_sync",
                               [=](int lane, int, int) { return lane ^ flip; });
}
/* The lanes of the mask with a value other than 0. */
inline uint32_t td_emulated_votes(uint32_t mask, int value, const char *what)
{
    uint64_t from[32];
    emulator::exchange(mask, value != 0, what, from);
    uint32_t votes = 0;
    for (int lane = 0; lane < 32; lane++) {
        votes |= (uint32_t)(from[lane] != 0) << lane;
    }
    return votes & mask;
}
inline uint32_t __ballot_sync(uint32_t mask, int value)
{
    return td_emulated_votes(mask, value, "__ballot_sync");
}
inline int __all_sync(uint32_t mask, int value)
{
    return td_emulated_votes(mask, value, "__all_sync") == mask;
}
inline void __syncwarp(uint32_t mask = 0xffffffffu)
{
    td_emulated_votes(mask, 1, "__syncwarp");
}

/* ---- tensor cores ---- */

/* See mma.cuh. number(bits): of one factor. */
template <typename Number>
void td_emulated_product(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1,
                         Number number)
{
    uint64_t upper[32], lower[32], right[32];
    emulator::exchange(~0u, (uint64_t)a[2] << 32 | a[0], "mma", upper);
    emulator::exchange(~0u, (uint64_t)a[3] << 32 | a[1], "mma", lower);
    emulator::exchange(~0u, (uint64_t)b1 << 32 | b0, "mma", right);
    const uint32_t row = emulator::lane() / 4, column = emulator::lane() % 4 * 2;
    const auto at = [&](const uint64_t *of, uint32_t line, uint32_t k) {
        return number((uint32_t)(of[line * 4 + k % 8 / 2] >> (k / 8 * 32 + k % 2 * 16)) & 0xffff);
    };
    for (uint32_t k = 0; k < 16; k++) {
        for (uint32_t i = 0; i < 4; i++) {
            c[i] += at(i < 2 ? upper : lower, row, k) * at(right, column + i % 2, k);
        }
    }
}

/* ---- launches from the device ---- */

#define TD_FIRE(kernel, grid, block) td_emulated_launch(kernel, grid, block)

template <typename... Parameters>
auto td_emulated_launch(void (*kernel)(Parameters...), dim3 grid, dim3 block)
{
    return [=](const Parameters &...arguments) {
        const auto copy = std::make_tuple(arguments...);
        emulator::fire([=] { emulator::run_grid(grid, block, [&] { std::apply(kernel, copy); }); });
    };
}

#endif
