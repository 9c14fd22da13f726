#include "loading.h"

#include <stdlib.h>

#include "engine/core/error.h"
#include "execution.h"
#include "planning.h"
#include "rows.h"

/* Fill in the executions of the runs whose workload is from a file. One that cannot be planned is left out; it fails
 * when its turn comes. Returns their number. */
static size_t plan_all(const td_sweep *sweep, td_execution *executions, td_plan *plans)
{
    size_t count = 0;
    for (size_t r = 0; r < sweep->run_count; r++) {
        const td_run *run = &sweep->runs[r];
        const td_buffers none = {.workload = run->workload, .problem = td_run_problem(run)};
        if (run->workload->own != NULL && run->skip[0] == '\0' &&
            td_run_plan(run, true, &plans[count], NULL) == TD_OK) {
            executions[count] = td_execution_of(&none, run, &plans[count]);
            count++;
        }
    }
    return count;
}

td_status td_load_own(td_engine *engine, const td_sweep *sweep, td_error *error)
{
    td_execution *executions = NULL;
    td_plan *plans = NULL;
    size_t count = 0;
    if (engine->ops->load == NULL) {
        return TD_OK;
    }
    td_status status =
        td_allocate(&executions, sweep->run_count, sizeof *executions, error, "the plans");
    if (status == TD_OK) {
        status = td_allocate(&plans, sweep->run_count, sizeof *plans, error, "the plans");
    }
    if (status == TD_OK) {
        count = plan_all(sweep, executions, plans);
        status = count > 0 ? engine->ops->load(engine, executions, count, error) : TD_OK;
    }
    for (size_t i = 0; i < count; i++) {
        td_plan_free(&plans[i]);
    }
    free(plans);
    free(executions);
    return status;
}
