/* work.h - the work of the process that has the device: open it, run group after group, record each. */
#pragma once

#include "drive.h"

/*
 * td_work - run the groups of the sweep from the one under way on.
 *
 * The first process that has the device open also describes it, checks it against --resume, and records it. Returns
 * when the sweep is over, with heartbeat->finished, or when a signal asks to stop. Errors are in the heartbeat.
 *
 * Input   broken: called when the device is unusable after a failure, which is in the run's result; does not return
 */
void td_work(td_sweep_drive *d, void (*broken)(void *drive, size_t run, const td_result *result));
