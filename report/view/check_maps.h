/* check_maps.h - --check-maps: where each map first fails. */
#pragma once

#include "engine/options/options.h"

/*
 * td_check_maps - check every chosen strategy on the engine, and print the findings: a line per strategy as soon as it
 * is known, or one document at the end, with the lines on stderr unless --quiet.
 *
 * Errors  TD_WRONG when a map fails within its stated range; those of the engine; TD_FAILED when writing fails
 */
td_status td_check_maps(const td_options *options, td_error *error);
