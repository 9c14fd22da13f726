/* stamps_check.h - compares a sample of the engine with the device clock, for measuring.c. */
#ifndef TD_TESTS_CUDA_STAMPS_CHECK_H
#define TD_TESTS_CUDA_STAMPS_CHECK_H

#include "engine/engine.h"

/* A sample of kernels that record their start and end. */
typedef struct td_stamped {
    double batch_ms;                /* the engine's own result */
    double inner_ms;                /* from the start of its first block to the end of its last */
    double outer_ms;                /* between a kernel queued before it and one queued after it */
    uint64_t blocks, blocks_queued; /* blocks that ran, and blocks that should have */
} td_stamped;

/*
 * td_stamps_check - one sample of `batch` launches, one by one or as a graph.
 *
 * Errors  those of the engine
 *
 * NULL in a build without CUDA.
 */
td_status td_stamps_check(td_engine *engine, uint32_t batch, bool graph, td_stamped *found,
                          td_error *error) __attribute__((weak));

#endif
