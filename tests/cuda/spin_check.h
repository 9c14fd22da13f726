/* spin_check.h - reading known durations back with the isolated timer, for measuring.c. */
#ifndef TD_TESTS_CUDA_SPIN_CHECK_H
#define TD_TESTS_CUDA_SPIN_CHECK_H

#include "engine/engine.h"

/*
 * td_spin_check - time spins of 1 us to 10 ms as --timing isolated times a run.
 *
 * Output  wrong: how many measured times, less that of an empty kernel, are off by more than 1 us and more than 1 %;
 *         each is printed
 * Errors  those of CUDA
 *
 * NULL in a build without CUDA.
 */
td_status td_spin_check(td_engine *engine, double empty_kernel_ms, int *wrong, td_error *error)
    __attribute__((weak));

#endif
