/* unused.h - options that nothing of what was selected can use. */
#ifndef TD_UNUSED_H
#define TD_UNUSED_H

#include "engine/options/options.h"

/*
 * td_refuse_unused - an option that was given has to mean something to a run of the sweep.
 *
 * One run that takes it is enough: the others of a mixed sweep go without.
 *
 * Errors  TD_USAGE, naming the workloads or strategies that take it
 */
td_status td_refuse_unused(const td_options *options, const td_sweep *sweep, td_error *error);

#endif
