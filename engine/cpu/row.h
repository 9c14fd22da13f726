/* row.h - the cpu engine, the cores of the host with OpenMP, as a row of the table of engines. */
#ifndef TD_ENGINE_CPU_ROW_H
#define TD_ENGINE_CPU_ROW_H

#include "engine/engine.h"

extern const td_engine_ops td_cpu_ops;

#endif
