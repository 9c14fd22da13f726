/* parameters.h - the options that workloads bring: --NAME for every name in their tables of parameters. */
#pragma once

#include "options.h"

/* The row of a parameter, from the first workload that has the name; NULL: there is none. */
const td_parameter *td_parameter_named(const char *name);

/* Parameter i, each name once, in the order of the workloads; NULL beyond the last. */
const td_parameter *td_parameter_option(size_t i);

/*
 * td_parameter_give - keep the command line's value for a parameter, a word or a list; if it is given twice, the last
 * one counts.
 *
 * Errors  TD_USAGE: no workload that has the parameter accepts the word; TD_NO_MEMORY
 */
td_status td_parameter_give(const char *name, const char *given, td_options *options,
                            td_error *error);
