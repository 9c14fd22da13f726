/*
 * block.h - one block of a grid on a processor: its threads take turns, each until it waits for others.
 *
 * A thread that has not come to a barrier has done nothing yet, and one that has is there before the next one starts:
 * no order of execution is further from the one that a missing barrier would need. TRIBENCH_EMULATOR_ORDER=reverse
 * starts with the last thread.
 */
#ifndef TD_TESTS_EMULATOR_BLOCK_H
#define TD_TESTS_EMULATOR_BLOCK_H

#include <cstdint>
#include <functional>

#include "cuda_runtime_api.h"

namespace emulator
{

struct index {
    unsigned x, y, z;
};

/* Of the thread that runs. */
extern index thread_index, block_index;
extern dim3 block_size, grid_size;

/*
 * Runs all blocks of a grid, one after the other.
 *
 * Errors  throws std::runtime_error, with a sentence, when threads wait for what never comes
 */
void run_grid(dim3 grid, dim3 block, const std::function<void()> &thread);

/* What threads of a running block call: all of them that are left. Returns whether it is true of all. */
bool barrier(bool value);

/*
 * What the threads of a warp call that are in `mask`: each gives 8 bytes.
 *
 * Output  from[lane]: what the lane gave; a pattern where it is not in the mask, or has ended
 */
void exchange(uint32_t mask, uint64_t value, const char *what, uint64_t (&from)[32]);

/* The number of this thread in its warp. */
unsigned lane();

[[noreturn]] void fail(const char *sentence);

/* A launch from the device, which runs when the grid that made it has ended: by run_fired, after each of the host. */
void fire(std::function<void()> grid);
void run_fired();

} // namespace emulator

#endif
