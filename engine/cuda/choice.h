/* choice.h - which kernel a launch takes: pure decisions, the same for all workloads. */
#ifndef TD_ENGINE_CUDA_CHOICE_H
#define TD_ENGINE_CUDA_CHOICE_H

#include "engine/engine.h"
#include "kernel_table.h"

/* Where it stands in the tables of the workload. */
const void *const *td_cuda_kernel_place(const td_kernels *kernels, const td_tile_kernels *tiles,
                                        const td_execution *execution, const td_launch *launch);

/* Whether its blocks loop over tiles, in a grid of one dimension. */
bool td_cuda_loops(const td_execution *execution, const td_launch *launch);

/* Blocks and tiles of 8 x 8 x 8, which have kernels of their own. */
bool td_cuda_is_eight(const td_launch *launch);

/* Whether the domain is the whole square. */
bool td_cuda_is_square(const td_execution *execution);

#endif
