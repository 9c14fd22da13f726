/* choice.h - chooses the kernel of a launch: pure decisions, the same for all workloads. */
#pragma once

#include "cuda.h"

/* The form of a launch's kernel. */
td_form td_cuda_form(const td_execution *execution, const td_launch *launch);

/* The kernel of a launch; NULL: there is none. */
const void *td_cuda_kernel(const td_cuda_engine *cuda, const td_execution *execution,
                           const td_launch *launch);

/* Whether a launch's blocks loop over tiles, in a one-dimensional grid. */
bool td_cuda_loops(const td_execution *execution, const td_launch *launch);

/* Whether the domain is the whole square. */
bool td_cuda_is_square(const td_execution *execution);
