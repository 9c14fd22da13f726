/* fault.h - kernels that are wrong on purpose: what a sanitizer has to see before its silence means anything. */
#ifndef TD_TESTS_CUDA_FAULT_H
#define TD_TESTS_CUDA_FAULT_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * td_fault_run - one launch with an error of the kind that memcheck, racecheck, initcheck or synccheck finds, in a
 * child process, as tribench runs its kernels.
 *
 * Output  0 when it ran, whatever it did; else 1 with a sentence on stderr, 2 for a tool that is none of these
 *
 * NULL in a build without nvcc.
 */
int td_fault_run(const char *tool) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
