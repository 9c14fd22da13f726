/* together.h - what single options cannot see: those that contradict each other, or would do nothing. */
#ifndef TD_ENGINE_OPTIONS_TOGETHER_H
#define TD_ENGINE_OPTIONS_TOGETHER_H

#include "options.h"

/*
 * td_options_check_together - settle the outputs, and look at all options at once.
 *
 * Errors  TD_USAGE
 */
td_status td_options_check_together(td_options *options, td_error *error);

#endif
