/* watch.h - run a sweep in a process of its own and watch it. */
#pragma once

#include "drive.h"

/*
 * td_watch - run the sweep to its end.
 *
 * Output  heartbeat: how far it came; runs that were lost have failed, those that were stopped are interrupted
 * Errors  why the device did not open, or could not be opened again; those of td_report_group
 */
td_status td_watch(td_sweep_drive *d, td_error *error);
