/* gate.h - a kernel that holds a stream back until the host lets it go, and one that does nothing, as plain C. */
#ifndef TD_ENGINE_CUDA_KERNELS_GATE_H
#define TD_ENGINE_CUDA_KERNELS_GATE_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * (const volatile uint32_t *open, volatile uint32_t *late, uint32_t ticket, uint64_t limit_ns), one thread: waits until
 * *open is `ticket`, or gives up after limit_ns and says so in *late. Both are in the host's memory.
 */
extern const void *const td_gate_kernel;

/* (), one thread. */
extern const void *const td_empty_kernel;

#ifdef __cplusplus
}
#endif

#endif
