/*
 * watch.h - run a sweep in a process of its own and watch it.
 *
 * With --ranks a thread watches the process itself, because MPI and fork do not work together, and a fault in one rank
 * ends all of them anyway: what costs one run elsewhere ends a rank, after what was measured has been reported.
 */
#pragma once

#include "drive.h"

/*
 * td_watch - run the sweep to its end.
 *
 * Output  heartbeat: how far it came; runs that were lost have failed, those that were stopped are interrupted
 * Errors  why the device did not open, or could not be opened again; those of td_report_group
 */
td_status td_watch(td_sweep_drive *d, td_error *error);
