/* arithmetic.h - the kernels that do nothing but arithmetic, as plain C. */
#ifndef TD_ENGINE_CUDA_KERNELS_ARITHMETIC_H
#define TD_ENGINE_CUDA_KERNELS_ARITHMETIC_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * (T *sink, T a, T b, uint32_t rounds) with T float, double and uint32_t, in blocks of TD_ARITHMETIC_THREADS threads:
 * TD_ARITHMETIC_OPS operations per thread and round. sink, which may be NULL, is written only if a is 0, which no
 * caller passes.
 */
extern const void *const td_fp32_kernel, *const td_fp64_kernel, *const td_int32_kernel;

enum {
    TD_ARITHMETIC_THREADS = 1024,
    TD_ARITHMETIC_CHAINS = 8, /* a multiply-add takes 4 cycles: 8 warps x 8 chains never wait */
    TD_ARITHMETIC_LINKS = 32, /* per chain and round */
    TD_ARITHMETIC_OPS = 2 * TD_ARITHMETIC_CHAINS * TD_ARITHMETIC_LINKS
};

#ifdef __cplusplus
}
#endif

#endif
