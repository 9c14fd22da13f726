/* tables.h - what a map looks up, where the kernels of an engine can read it. */
#ifndef TD_ENGINE_NEEDS_TABLES_H
#define TD_ENGINE_NEEDS_TABLES_H

#include "engine/engine.h"

/*
 * td_plan_for - td_run_plan for launches on this engine.
 *
 * Errors  those of td_run_plan; TD_NO_MEMORY, TD_FAILED for the table of its map
 */
td_status td_plan_for(td_engine *engine, const td_run *run, bool inexact, td_plan *plan,
                      td_error *error);

/* Copy the table of a plan, if it has one, into the engine's memory. */
td_status td_plan_copy_table(td_engine *engine, td_plan *plan, td_error *error);

/* td_plan_free, and what the engine has of it. */
void td_plan_release(td_engine *engine, td_plan *plan);

#endif
