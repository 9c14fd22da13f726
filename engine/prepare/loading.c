#include "loading.h"

#include <stdlib.h>

#include "execution.h"
#include "planning.h"
#include "rows.h"

/* The executions of a sweep whose workloads come from files. */
typedef struct launches {
    td_execution *executions;
    td_plan *plans;
    size_t count;
} launches;

static bool is_needed(const td_run *run)
{
    return run->workload->own != NULL && run->skip[0] == '\0';
}

static size_t count_needed(const td_sweep *sweep)
{
    size_t count = 0;
    for (size_t r = 0; r < sweep->run_count; r++) {
        count += is_needed(&sweep->runs[r]);
    }
    return count;
}

/* A run that cannot be planned is left out here; it fails when its turn comes. */
static void add(launches *all, const td_run *run)
{
    const td_buffers none = {.workload = run->workload, .problem = td_run_problem(run)};
    td_plan *plan = &all->plans[all->count];
    if (td_run_plan(run, true, plan, NULL) == TD_OK) {
        all->executions[all->count++] = td_execution_of(&none, run, plan);
    }
}

td_status td_load_own(td_engine *engine, const td_sweep *sweep, td_error *error)
{
    const size_t needed = engine->ops->load != NULL ? count_needed(sweep) : 0;
    if (needed == 0) {
        return TD_OK;
    }
    launches all = {.executions = calloc(needed, sizeof *all.executions),
                    .plans = calloc(needed, sizeof *all.plans)};
    const bool has_room = all.executions != NULL && all.plans != NULL;
    for (size_t r = 0; has_room && r < sweep->run_count; r++) {
        if (is_needed(&sweep->runs[r])) {
            add(&all, &sweep->runs[r]);
        }
    }
    const td_status status =
        has_room ? engine->ops->load(engine, all.executions, all.count, error)
                 : td_fail(error, TD_NO_MEMORY, "not enough memory for %zu plans", needed);
    for (size_t i = 0; i < all.count; i++) {
        td_plan_free(&all.plans[i]);
    }
    free(all.plans);
    free(all.executions);
    return status;
}
