/* row.h - the null engine for the table of engines. */
#ifndef TD_TESTS_ENGINE_NULL_ROW_H
#define TD_TESTS_ENGINE_NULL_ROW_H

#include "engine/engine.h"

extern const td_engine_ops td_null_ops;

#endif
