/*
 * in_process.h - with --ranks, each rank runs groups itself: MPI and fork do not work together, and a fault in one rank
 * ends all of them anyway.
 *
 * A thread takes the place of the parent that watches a worker. When a phase takes longer than --timeout or a signal
 * asks to stop, it reports what was measured and ends the process, wherever that hangs.
 */
#pragma once

#include "worker.h"

typedef struct td_in_process td_in_process;

/* Like td_worker_open; either all ranks open or none does. */
td_status td_in_process_open(const td_worker_config *config, td_in_process **rank,
                             td_environment *environment, td_error *error);

/* Like td_worker_group. Does not return if the process has to end. */
void td_in_process_group(td_in_process *p, const td_protocol *protocol, const td_group *group,
                         td_result *results);

td_timing td_in_process_timing(const td_in_process *p);

void td_in_process_close(td_in_process *p);
