/* run_list.h - the runs and groups of a sweep while they are being collected. For sweep.c and run/space.c. */
#ifndef TD_ENGINE_SWEEP_RUN_LIST_H
#define TD_ENGINE_SWEEP_RUN_LIST_H

#include "sweep.h"

/* Errors  TD_NO_MEMORY; TD_USAGE beyond a million runs */
td_status td_run_list_add(td_sweep *sweep, const td_run *run, td_error *error);

/* The last `count` runs are a group. Errors  TD_NO_MEMORY */
td_status td_run_list_end_group(td_sweep *sweep, size_t count, td_error *error);

/* Once all are there: runs move while the list grows, so that groups cannot point at them before. */
void td_run_list_link(td_sweep *sweep);

#endif
