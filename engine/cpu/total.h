/* total.h - the total of a workload whose result is one sum, on the host's cores. */
#pragma once

#include "workloads/data.h"

/* Set element 0 of the output to the sum of the elements after it, added in a tree of fixed shape. */
void td_cpu_total(const td_data *data);
