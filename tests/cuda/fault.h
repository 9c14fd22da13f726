/* fault.h - kernels with deliberate errors. A sanitizer must find them before its silence means anything. */
#ifndef TD_TESTS_CUDA_FAULT_H
#define TD_TESTS_CUDA_FAULT_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * td_fault_run - one launch with an error of the kind that memcheck, racecheck, initcheck or synccheck finds, in a
 * child process, as tribench runs its kernels.
 *
 * Output  0 if it ran, whatever it did; 2 for an unknown tool; otherwise 1, with a sentence on stderr
 *
 * NULL in a build without nvcc.
 */
int td_fault_run(const char *tool) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
