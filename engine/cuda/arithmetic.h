/* arithmetic.h - the td_engine_ops operation that measures how fast a GPU computes; see engine.h. */
#pragma once

#include "engine/engine.h"

td_status td_cuda_peak_arithmetic(td_engine *engine, td_environment *environment, td_error *error);
