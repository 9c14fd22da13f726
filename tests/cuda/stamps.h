/* stamps.h - a kernel whose blocks record their start and end, as plain C. */
#ifndef TD_TESTS_CUDA_STAMPS_H
#define TD_TESTS_CUDA_STAMPS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The start of the first block and the end of the last, by the device clock, and the number of blocks. */
typedef struct td_stamps {
    unsigned long long first_ns, last_ns, blocks;
} td_stamps;

/* (td_launch, td_data): each block runs for ten microseconds and records that in the td_stamps at data.output. */
extern const void *const td_stamps_kernel;

#ifdef __cplusplus
}
#endif

#endif
