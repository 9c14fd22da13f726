/*
 * driver.h - run/ carries out a sweep: it makes the runs from the options, starts a worker, and runs and reports one
 * group after another.
 */
#pragma once

#include "engine/options/options.h"

/*
 * td_drive - carry out the sweep, or the --dry-run, of a command line. Catches signals once an output is open.
 *
 * Input   options: --ranks fills in the part of this process
 * Errors  what is wrong with the command line, before anything is opened or measured; else the error of the first run
 *         that did not succeed, or the one that ended the sweep. The report has the results anyway
 */
td_status td_drive(td_options *options, td_error *error);
