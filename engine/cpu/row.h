/* row.h - the cpu engine (the host's cores, with OpenMP) as a row of the table of engines. */
#pragma once

#include "engine/engine.h"

extern const td_engine_ops td_cpu_ops;
