/* map_report.h - the findings of --check-maps, as text and as JSON. */
#pragma once

#include <stdio.h>

#include "engine/options/options.h"
#include "engine/bench/map_check.h"

typedef struct td_map_report {
    const td_map_check *checks;
    size_t count;
    uint32_t largest; /* largest n that was checked */
    const char *engine;
    const td_environment *environment;
} td_map_report;

/* Print a line about one map. */
void td_map_report_line(FILE *out, const td_map_check *check);

/*
 * td_map_report_json - write all checks as one document.
 *
 * Errors  TD_FAILED when writing fails, TD_NO_MEMORY
 */
td_status td_map_report_json(FILE *out, const td_map_report *report, td_error *error);

/*
 * td_check_maps - --check-maps: check every chosen strategy on the engine, and print the findings: a line per strategy
 * as soon as it is known, or one document at the end, with the lines on stderr unless --quiet.
 *
 * Errors  TD_WRONG when a map fails within its stated range; those of the engine
 */
td_status td_check_maps(const td_options *options, td_error *error);
