/* stamps_check.h - a sample of the engine held against the device's clock, for measuring.c. */
#ifndef TD_TESTS_CUDA_STAMPS_CHECK_H
#define TD_TESTS_CUDA_STAMPS_CHECK_H

#include "engine/engine.h"

/* A sample that the engine took of kernels that note when they work. */
typedef struct td_stamped {
    double batch_ms; /* what the engine says of it */
    double inner_ms; /* from the beginning of its first block to the end of its last */
    double outer_ms; /* likewise, between a kernel queued before it and one behind it */
    uint64_t blocks, blocks_queued; /* that worked, and that were meant to */
} td_stamped;

/*
 * td_stamps_check - one sample of `batch` launches, one by one or as a graph, or of one launch as --timing isolated.
 *
 * Errors  what the engine says
 *
 * NULL in a build without CUDA.
 */
td_status td_stamps_check(td_engine *engine, uint32_t batch, bool graph, bool isolated,
                          td_stamped *found, td_error *error) __attribute__((weak));

#endif
