/* nvToolsExt.h - replaces the CUDA toolkit's. TRIBENCH_EMULATOR_TRACE prints each range on stderr. */
#ifndef TD_TESTS_EMULATOR_NVTOOLSEXT_H
#define TD_TESTS_EMULATOR_NVTOOLSEXT_H

#ifdef __cplusplus
extern "C" {
#endif

int nvtxRangePushA(const char *name);
int nvtxRangePop(void);

#ifdef __cplusplus
}
#endif

#endif
