/* util.h - a kernel without map or cell. */
#ifndef TD_CUDA_UTIL_H
#define TD_CUDA_UTIL_H

#ifdef __cplusplus
extern "C" {
#endif

/* (const uint8_t *memory, uint32_t byte, uint64_t bytes, td_device_tally *sum): adds to sum->touched_outside. */
extern const void *const td_count_other_kernel;

#ifdef __cplusplus
}
#endif

#endif
