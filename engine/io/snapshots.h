/* snapshots.h - --frames: snapshots of the states of one verified run. */
#pragma once

#include "engine/core/pulse.h"
#include "engine/needs/buffers.h"

/*
 * td_snapshots_open - open the folder for the snapshots; create it if it is missing.
 *
 * Errors  TD_USAGE: it cannot be created, or is not a folder that can be written to
 */
td_status td_snapshots_open(const char *folder, td_error *error);

/*
 * td_snapshots_write - write the generations 0, every, 2 every ... up to the run's last, each as folder/NNNNNNN.png.
 *
 * The run is launched once more, piece by piece; afterwards its buffers hold the last state, as before.
 *
 * Input   pulse: beats before each snapshot
 * Errors  those of the engine and of td_png_write; TD_NO_MEMORY
 */
td_status td_snapshots_write(const char *folder, uint32_t every, const td_run *run,
                             td_buffers *buffers, const td_pulse *pulse, td_error *error);
