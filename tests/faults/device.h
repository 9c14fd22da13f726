/* device.h - kernels that go wrong on the GPU itself. */
#ifndef TD_TESTS_FAULTS_DEVICE_H
#define TD_TESTS_FAULTS_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of one thread and no argument: one writes where there is no memory, one has no end. In a build without nvcc the
 * address of both is NULL. */
extern const void *const td_fault_illegal __attribute__((weak));
extern const void *const td_fault_endless __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
