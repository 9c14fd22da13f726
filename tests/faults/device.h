/* device.h - kernels that go wrong on the GPU itself. */
#ifndef TD_TESTS_FAULTS_DEVICE_H
#define TD_TESTS_FAULTS_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels of one thread without arguments: one writes to an illegal address, the other never ends. Both addresses are
 * NULL in a build without nvcc. */
extern const void *const td_fault_illegal __attribute__((weak));
extern const void *const td_fault_endless __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
