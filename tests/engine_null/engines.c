/* engines.c - the engines of this program: one include and one row each. */
#include "engine/cpu/row.h"
#include "engine/cuda/row.h"
#include "tests/engine_null/row.h"

const td_engine_ops *const td_engines[] = {
    &td_cuda_ops,
    &td_cpu_ops,
    &td_null_ops,
};

const size_t td_engine_count = sizeof td_engines / sizeof td_engines[0];
