/* nvToolsExt.h - in the place of the CUDA toolkit's: with TRIBENCH_EMULATOR_TRACE set, stderr has each range. */
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
