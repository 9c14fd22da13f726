/* engines.c - the engines of the fuzz targets: only the null engine, and no compiler. */
#include "engine/compile/own_load.h"
#include "tests/engine_null/row.h"

const td_engine_ops *const td_engines[] = {&td_null_ops};

const size_t td_engine_count = sizeof td_engines / sizeof td_engines[0];

td_status td_own_load(const char *path, size_t *first, size_t *count, td_error *error)
{
    (void)first;
    (void)count;
    return td_fail(error, TD_USAGE, "%s is not compiled here", path);
}
