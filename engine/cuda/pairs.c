/* pairs.c - the workloads' kernel tables side by side. */
#include "pairs.h"

#include "../../workloads/workloads.h"

#define DECLARE(w, name, A) extern const td_kernels td_kernels_##w;
TD_WORKLOADS(DECLARE, )

#define ROW(w, name, A) [TD_WORKLOAD_##w] = &td_kernels_##w,
static const td_kernels *const kernels[TD_WORKLOAD_COUNT] = {TD_WORKLOADS(ROW, )};

const td_kernels *td_kernels_of(const td_workload *workload)
{
    return kernels[workload->id];
}
