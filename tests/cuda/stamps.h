/* stamps.h - a kernel whose blocks note when they work, as plain C. */
#ifndef TD_TESTS_CUDA_STAMPS_H
#define TD_TESTS_CUDA_STAMPS_H

#ifdef __cplusplus
extern "C" {
#endif

/* By the device's clock: when the first block began and the last one ended, and how many there were. */
typedef struct td_stamps {
    unsigned long long first_ns, last_ns, blocks;
} td_stamps;

/* (td_launch, td_data): each block stays for ten microseconds and notes that in the td_stamps at data.output. */
extern const void *const td_stamps_kernel;

#ifdef __cplusplus
}
#endif

#endif
