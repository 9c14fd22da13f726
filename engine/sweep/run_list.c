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
    td_run *runs = td_vector_grow(sweep->runs, sweep->run_count, sizeof *runs);
    if (runs == NULL) {
        return no_memory(error);
    }
    sweep->runs = runs;
    sweep->runs[sweep->run_count++] = *run;
    return TD_OK;
}

td_status td_run_list_end_group(td_sweep *sweep, size_t count, td_error *error)
{
    td_group *groups = td_vector_grow(sweep->groups, sweep->group_count, sizeof *groups);
    if (groups == NULL) {
        return no_memory(error);
    }
    sweep->groups = groups;
    sweep->groups[sweep->group_count].runs = NULL;
    sweep->groups[sweep->group_count++].count = count;
    return TD_OK;
}

void td_run_list_link(td_sweep *sweep)
{
    td_run *next = sweep->runs;
    for (size_t i = 0; i < sweep->group_count; i++) {
        sweep->groups[i].runs = next;
        next += sweep->groups[i].count;
    }
}

void td_sweep_free(td_sweep *sweep)
{
    const td_sweep empty = {0};
    free(sweep->runs);
    free(sweep->groups);
    *sweep = empty;
}
