/* engines.c - the engines of the fuzz targets: the one that executes nothing. */
#include "tests/engine_null/row.h"

const td_engine_ops *const td_engines[] = {&td_null_ops};

const size_t td_engine_count = sizeof td_engines / sizeof td_engines[0];
