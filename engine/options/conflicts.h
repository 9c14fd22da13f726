/* conflicts.h - checks for what single options cannot see: options that contradict each other, or would do nothing. */
#pragma once

#include "options.h"

/*
 * td_options_check_together - settle the outputs, and check all options together.
 *
 * Errors  TD_USAGE
 */
td_status td_options_check_together(td_options *options, td_error *error);
