#include "run_list.h"

#include <stdlib.h>

enum { MAX_RUNS = 1000000, FIRST_ROOM = 64 };

/* Room for one more, which is there unless `count` has reached 64, 128, 256...; NULL without memory. */
static void *grow(void *items, size_t count, size_t size)
{
    const bool is_full = count == 0 || (count >= FIRST_ROOM && (count & (count - 1)) == 0);
    return is_full ? realloc(items, (count == 0 ? FIRST_ROOM : 2 * count) * size) : items;
}

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
    td_run *runs = grow(sweep->runs, sweep->run_count, sizeof *runs);
    if (runs == NULL) {
        return no_memory(error);
    }
    sweep->runs = runs;
    sweep->runs[sweep->run_count++] = *run;
    return TD_OK;
}

td_status td_run_list_end_group(td_sweep *sweep, size_t count, td_error *error)
{
    td_group *groups = grow(sweep->groups, sweep->group_count, sizeof *groups);
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
