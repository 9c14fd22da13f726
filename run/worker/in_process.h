/*
 * in_process.h - a rank of --ranks runs groups itself: MPI and a fork do not go together, and a fault of one rank ends
 * all of them anyway.
 *
 * In the place of the parent that watches a worker there is a thread: it sees a phase that takes longer than --timeout
 * and a signal that asks to stop, and ends the process, wherever that hangs. What was measured is handed over first.
 */
#ifndef TD_RUN_WORKER_IN_PROCESS_H
#define TD_RUN_WORKER_IN_PROCESS_H

#include "worker.h"

typedef struct td_in_process td_in_process;

/* As td_worker_open; all ranks open or none does. */
td_status td_in_process_open(const td_worker_config *config, td_in_process **rank,
                             td_environment *environment, td_error *error);

/* As td_worker_group. Does not return when the process is to end. */
td_status td_in_process_group(td_in_process *p, const td_protocol *protocol, const td_group *group,
                              td_result *results, td_error *error);

td_timing td_in_process_timing(const td_in_process *p);

void td_in_process_close(td_in_process *p);

#endif
