/* device_clock.cuh - the device clock in nanoseconds, independent of events. */
#ifndef TD_TESTS_CUDA_DEVICE_CLOCK_CUH
#define TD_TESTS_CUDA_DEVICE_CLOCK_CUH

#include <cstdint>

#ifdef TD_TESTS_EMULATOR_KERNEL_H
#include <chrono>
#endif

static __device__ uint64_t now_ns()
{
    uint64_t ns = 0;
#ifdef __CUDA_ARCH__
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
#elif defined(TD_TESTS_EMULATOR_KERNEL_H)
    ns = (uint64_t)std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
             .count();
#endif
    return ns;
}

#endif
