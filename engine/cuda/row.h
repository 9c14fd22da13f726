/* row.h - the cuda engine as a row of the table of engines; row.c defines it, or none.c in a build without CUDA. */
#pragma once

#include "engine/engine.h"

/* The same in any build, because a plan for a GPU does not depend on where it is made. */
#define TD_CUDA_FACTS                                                                              \
    .name = "cuda", .summary = "one NVIDIA GPU",                                                   \
    .can = {.device_memory = true,                                                                 \
            .graphs = true,                                                                        \
            .trees = true,                                                                         \
            .tile_kernels = true,                                                                  \
            .persistent = true,                                                                    \
            .energy = true}

extern const td_engine_ops td_cuda_ops;
