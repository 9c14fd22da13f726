/*
 * block.h - one block of a grid on a CPU. Its threads take turns, each until it waits for others.
 *
 * A thread runs up to its barrier before the next thread starts. No order of execution exposes a missing barrier more
 * reliably. TRIBENCH_EMULATOR_ORDER=reverse starts with the last thread.
 */
#ifndef TD_TESTS_EMULATOR_BLOCK_H
#define TD_TESTS_EMULATOR_BLOCK_H

#include <cstdint>
#include <functional>
#include <vector>

#include "cuda_runtime_api.h"

namespace emulator
{

struct index {
    unsigned x, y, z;
};

/* The indices of the running thread. */
extern index thread_index, block_index;
extern dim3 block_size, grid_size;

/*
 * Runs all blocks of a grid, one after the other.
 *
 * Errors  throws std::runtime_error, with a sentence, if the threads deadlock
 */
void run_grid(dim3 grid, dim3 block, const std::function<void()> &thread);

/* A barrier for all remaining threads of the running block. Returns true if `value` is true for all of them. */
bool barrier(bool value);

/*
 * Exchanges 8 bytes per thread among the threads of a warp that are in `mask`; each of them calls it.
 *
 * Output  from[lane]: the lane's value; a pattern if the lane is not in the mask or has ended
 */
void exchange(uint32_t mask, uint64_t value, const char *what, uint64_t (&from)[32]);

/* What a launch asks for beside a kernel's own: `extern __shared__` of nvcc. */
extern std::vector<unsigned char> shared_memory;

/* The number of this thread in its warp. */
unsigned lane();

[[noreturn]] void fail(const char *sentence);

/* A launch from the device. run_fired runs it after the grid that launched it has ended. */
void fire(std::function<void()> grid);
void run_fired();

} // namespace emulator

#endif
