/* choice.h - chooses the kernel of a launch: pure decisions, the same for all workloads. */
#pragma once

#include "engine/engine.h"
#include "kernel_table.h"

/* The place of a launch's kernel in the workload's tables. */
const void *const *td_cuda_kernel_place(const td_kernels *kernels, const td_tile_kernels *tiles,
                                        const td_execution *execution, const td_launch *launch);

/* Whether a launch's blocks loop over tiles, in a one-dimensional grid. */
bool td_cuda_loops(const td_execution *execution, const td_launch *launch);

/* Whether blocks and tiles are 8 x 8 x 8, which have kernels of their own. */
bool td_cuda_is_eight(const td_launch *launch);

/* Whether the domain is the whole square. */
bool td_cuda_is_square(const td_execution *execution);
