/* name_lists.h - the options that take names: strategies and workloads, and the sets of them. */
#pragma once

#include "engine/core/span.h"
#include "option_row.h"

/* Names and sets. */
td_option_parse_fn td_parse_strategies;
td_option_parse_fn td_parse_workloads;

/* A strategy, or none. */
td_option_parse_fn td_parse_baseline;

/* Look the kept names of --workload up, and load those that are files. Errors  TD_USAGE, TD_NO_MEMORY, of compilers */
td_status td_workloads_choose(td_options *options, td_error *error);

/* The names of sets: "all|paper|2d|3d". */
extern const char td_strategy_sets[], td_workload_sets[];
