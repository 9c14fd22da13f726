/* profile.h - what a profiler is told, see td_engine_ops. */
#ifndef TD_ENGINE_CUDA_PROFILE_H
#define TD_ENGINE_CUDA_PROFILE_H

#include "cuda.h"

void td_cuda_range(td_engine *engine, int level, const char *name);
td_status td_cuda_profile(td_engine *engine, bool on, td_error *error);

#endif
