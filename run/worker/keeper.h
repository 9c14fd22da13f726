/*
 * keeper.h - a process that locks the clocks of a device and restores them however this process ends.
 *
 * A worker may hang in the driver, and this process may be killed, so neither can promise to restore anything. The
 * keeper only waits, for a word from this process or for its end.
 */
#pragma once

#include "engine/engine.h"

typedef struct td_keeper td_keeper;

/* Check that the engine has clocks that can be locked. Errors: TD_USAGE: it has none. */
td_status td_keeper_check(const td_engine_ops *ops, td_error *error);

/*
 * td_keeper_open - lock the clocks of a device.
 *
 * Input   ops: passed td_keeper_check; clocks: the value of --lock-gpu-clocks
 * Errors  TD_UNAVAILABLE: what the device or its library says; TD_FAILED, TD_NO_MEMORY
 */
td_status td_keeper_open(const td_engine_ops *ops, const char *device, const char *clocks,
                         td_keeper **keeper, td_error *error);

/* Restore them; keeper may be NULL. Errors: TD_FAILED: they are still locked. */
td_status td_keeper_close(td_keeper *keeper, td_error *error);
