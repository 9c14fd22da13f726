/*
 * driver.h - run/ takes a sweep from its options to the last result: runs are made, a worker is started, group after
 * group is run and reported.
 */
#ifndef TD_RUN_DRIVER_H
#define TD_RUN_DRIVER_H

#include "engine/options/options.h"

/*
 * td_drive - carry out the sweep, or the --dry-run, of a command line. Catches signals once an output is open.
 *
 * Input   options: --input replaces n and n_count
 * Errors  what is wrong with the command line, before anything is opened or measured; else that of the first run that
 *         did not succeed, or what ended the sweep. The results are in the report all the same
 */
td_status td_drive(td_options *options, td_error *error);

#endif
