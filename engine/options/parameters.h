/* parameters.h - the parameters of workloads: options of their own for the common ones, --set NAME=VALUE for all; and
 * the one of strategies. */
#pragma once

#include "engine/core/parameter.h"
#include "engine/core/span.h"
#include "options.h"

/* The row of a parameter, from the first workload that has the name; NULL: there is none. */
const td_parameter *td_parameter_named(const char *name);

/* Parameter i, each name once, in the order of the workloads; NULL beyond the last. */
const td_parameter *td_parameter_option(size_t i);

/*
 * td_parameters_check - check the values that were given, once all workloads are known.
 *
 * Errors  TD_USAGE: no workload has the parameter, or none that has it accepts the value
 */
td_status td_parameters_check(const td_options *options, td_error *error);

/* The option of a parameter, which goes before "=VALUE": "steps", "set rule". */
td_shown td_parameter_label(const char *name);

/* The same as td_parameter_parse, whose message begins with the option: "--set rule: expected ...". */
td_status td_parameter_read(const td_parameter *parameter, const char *word, td_value *value,
                            td_error *error);
