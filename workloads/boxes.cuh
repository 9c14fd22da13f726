/* boxes.cuh - how kernels describe matrices to bulk copies: the driver's type, which NVRTC has no header for. */
#ifndef TD_WORKLOADS_BOXES_CUH
#define TD_WORKLOADS_BOXES_CUH

#ifdef __CUDACC_RTC__ /* it only passes this on */
struct alignas(64) CUtensorMap {
    uint64_t opaque[16];
};
#else
#include <cudaTypedefs.h>
#endif

#endif
