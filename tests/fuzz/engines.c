/* engines.c - the engines of the fuzz targets: only the null engine, and no compiler. */
#include <omp.h>

#include "engine/compile/own_load.h"
#include "engine/compile/own_map.h"
#include "engine/compile/source.h"
#include "tests/engine_null/row.h"

const td_engine_ops *const td_engines[] = {&td_null_ops};

const size_t td_engine_count = sizeof td_engines / sizeof td_engines[0];

td_status td_own_load(const char *path, size_t *first, size_t *count, td_error *error)
{
    (void)first;
    (void)count;
    return td_fail(error, TD_USAGE, "%s is not compiled here", path);
}

td_status td_own_map_load(const char *path, const td_strategy **strategy, td_error *error)
{
    (void)strategy;
    return td_fail(error, TD_USAGE, "%s is not compiled here", path);
}

/* In place of OpenMP's library, which clang's fuzzer is linked without. */
int omp_get_num_procs(void)
{
    return 1;
}

int omp_get_num_places(void)
{
    return 0;
}

int omp_get_place_num_procs(int place)
{
    return place;
}

int omp_pause_resource_all(omp_pause_resource_t kind)
{
    return kind == omp_pause_hard ? 0 : -1;
}

/* As in engine/compile/source.c, which is left out. */
const char *td_compiler_name(void)
{
    return "cc";
}
