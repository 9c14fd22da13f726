/* unused_options.h - options that nothing of what was selected can use. */
#ifndef TD_ENGINE_SWEEP_UNUSED_OPTIONS_H
#define TD_ENGINE_SWEEP_UNUSED_OPTIONS_H

#include "engine/options/options.h"

/*
 * td_check_unused_options - an option that was given has to mean something to a run of the sweep.
 *
 * One run that takes it is enough: the others of a mixed sweep go without.
 *
 * Errors  TD_USAGE, naming the workloads or strategies that take it
 */
td_status td_check_unused_options(const td_options *options, const td_sweep *sweep,
                                  td_error *error);

#endif
