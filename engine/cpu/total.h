/* total.h - the sum of a workload that is one, on the cores of the host. */
#ifndef TD_ENGINE_CPU_TOTAL_H
#define TD_ENGINE_CPU_TOTAL_H

#include "workloads/data.h"

/* Element 0 of the output becomes the sum of the elements behind it, in a tree of a fixed shape. */
void td_cpu_total(const td_data *data);

#endif
