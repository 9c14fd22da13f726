/* profile.c - what a profiler is told: ranges for Nsight Systems, and which launch Nsight Compute is to look at. */
#include "profile.h"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

void td_cuda_range(td_engine *engine, int level, const char *name)
{
    td_cuda_engine *cuda = td_cuda_of(engine);
    while (cuda->open_ranges > level) {
        nvtxRangePop();
        cuda->open_ranges--;
    }
    if (name != NULL) {
        nvtxRangePushA(name);
        cuda->open_ranges++;
    }
}

td_status td_cuda_profile(td_engine *engine, bool on, td_error *error)
{
    (void)engine;
    return TD_CUDA(error, on ? cudaProfilerStart() : cudaProfilerStop());
}
