/* run_list.h - collect the runs and groups of a sweep. */
#pragma once

#include "sweep.h"

/* Append a run. Errors  TD_NO_MEMORY; TD_USAGE beyond a million runs */
td_status td_run_list_add(td_sweep *sweep, const td_run *run, td_error *error);

/* Make a group of the last `count` runs. Errors  TD_NO_MEMORY */
td_status td_run_list_end_group(td_sweep *sweep, size_t count, td_error *error);

/* Point the groups at their runs, which move while the list grows; after a failure, free it. Returns the status. */
td_status td_run_list_end(td_sweep *sweep, td_status status);
