#include "run_list.h"

#include <stdlib.h>

#include "engine/core/vector.h"

enum { MAX_RUNS = 1000000 };

static td_status no_memory(td_error *error)
{
    return td_fail(error, TD_NO_MEMORY, "not enough memory for the list of runs");
}

td_status td_run_list_add(td_sweep *sweep, const td_run *run, td_error *error)
{
    if (sweep->run_count == MAX_RUNS) {
        return td_fail(error, TD_USAGE,
                       "the command line selects more than %d runs: shorten --n, --block or --tile",
                       MAX_RUNS);
    }
    return td_vector_add(&sweep->runs, &sweep->run_count, sizeof *run, run) ? TD_OK
                                                                            : no_memory(error);
}

td_status td_run_list_end_group(td_sweep *sweep, size_t count, td_error *error)
{
    const td_group group = {.count = count};
    return td_vector_add(&sweep->groups, &sweep->group_count, sizeof group, &group)
               ? TD_OK
               : no_memory(error);
}

td_status td_run_list_end(td_sweep *sweep, td_status status)
{
    td_run *next = sweep->runs;
    if (status != TD_OK) {
        td_sweep_free(sweep);
        return status;
    }
    for (size_t i = 0; i < sweep->group_count; i++) {
        sweep->groups[i].runs = next;
        next += sweep->groups[i].count;
    }
    return TD_OK;
}

bool td_sweep_has_trees(const td_sweep *sweep)
{
    bool has = false;
    for (size_t i = 0; i < sweep->run_count; i++) {
        has |= sweep->runs[i].strategy->tree != NULL;
    }
    return has;
}

void td_sweep_free(td_sweep *sweep)
{
    free(sweep->runs);
    free(sweep->groups);
    *sweep = (td_sweep){0};
}
