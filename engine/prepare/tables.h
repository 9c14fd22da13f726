/* tables.h - the lookup table of a map, in memory that the kernels of an engine can read. */
#pragma once

#include "engine/engine.h"

/*
 * td_plan_for - td_run_plan for launches on this engine.
 *
 * Errors  those of td_run_plan; TD_NO_MEMORY and TD_FAILED for the table of the map
 */
td_status td_plan_for(td_engine *engine, const td_run *run, bool inexact, td_plan *plan,
                      td_error *error);

/* Copy the table of a plan, if it has one, into the engine's memory. */
td_status td_plan_copy_table(td_engine *engine, td_plan *plan, td_error *error);

/* td_plan_free, and release the engine's copy of the table. */
void td_plan_release(td_engine *engine, td_plan *plan);
