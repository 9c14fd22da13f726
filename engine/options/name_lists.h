/* name_lists.h - the options that take names: strategies and workloads, and the sets of them. */
#pragma once

#include "engine/core/span.h"
#include "option_row.h"

/* Names and sets. */
td_option_parse_fn td_parse_strategies;
td_option_parse_fn td_parse_workloads;

/* A strategy, or none. */
td_option_parse_fn td_parse_baseline;

/* Whether a word of --workload is the name of a file, not of a workload. */
bool td_is_own_file(td_span word);

/* Load the workloads of such a file; see td_own_load. */
td_status td_load_own_file(const char *option, td_span word, size_t *first, size_t *count,
                           td_error *error);

/* The names of sets: "all|paper|2d|3d". */
extern const char td_strategy_sets[], td_workload_sets[];
