/* spin.h - a kernel of a known duration, as plain C. */
#ifndef TD_TESTS_CUDA_SPIN_H
#define TD_TESTS_CUDA_SPIN_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * (int64_t cycles, uint64_t *ns), one thread: spins for `cycles` cycles of its SM and stores in *ns how long that took
 * by the device clock.
 */
extern const void *const td_spin_kernel;

#ifdef __cplusplus
}
#endif

#endif
