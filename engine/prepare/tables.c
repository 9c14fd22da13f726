#include "tables.h"

#include "planning.h"

td_status td_plan_copy_table(td_engine *engine, td_plan *plan, td_error *error)
{
    void *copy = NULL;
    if (plan->table == NULL || !engine->ops->can.device_memory) {
        return TD_OK;
    }
    TRY(engine->ops->allocate(engine, plan->table_bytes, &copy, error));
    td_plan_use_copy(plan, copy);
    return engine->ops->upload(engine, copy, plan->table, plan->table_bytes, error);
}

td_status td_plan_for(td_engine *engine, const td_run *run, bool inexact, td_plan *plan,
                      td_error *error)
{
    TRY(td_run_plan(run, inexact, plan, error));
    return td_plan_copy_table(engine, plan, error);
}

void td_plan_release(td_engine *engine, td_plan *plan)
{
    engine->ops->release(engine, plan->table_copy);
    td_plan_free(plan);
}
