/* util.h - kernels without map or cell. */
#ifndef TD_ENGINE_CUDA_KERNELS_UTIL_H
#define TD_ENGINE_CUDA_KERNELS_UTIL_H

#ifdef __cplusplus
extern "C" {
#endif

/* (const uint8_t *memory, uint32_t byte, uint64_t bytes, td_device_counts *sum): adds to sum->touched_outside. */
extern const void *const td_count_other_kernel;

/* (double *output, uint64_t count): output[0] becomes the sum of the count elements behind it. One block
   of 1024 threads. */
extern const void *const td_total_kernel;

#ifdef __cplusplus
}
#endif

#endif
