/* resolve.h - from the given options to the parameters of one workload, with all defaults filled in. */
#pragma once

#include "engine/options/options.h"

/* The number of combinations of the words given for a workload's parameters: 1 unless there are lists. */
size_t td_parameters_combinations(const td_options *options, const td_workload *workload);

/*
 * td_parameters_resolve - a workload's parameters: its defaults, overridden by a pattern's rule, then by given values.
 *
 * Input   combination: below td_parameters_combinations; workload: from the registry; problem: has n
 * Output  problem->parameters; variant: the descriptor that they choose, or `workload` itself after an error
 * Errors  TD_USAGE: a word that this workload rejects although another accepts it; no such combination
 */
td_status td_parameters_resolve(const td_options *options, size_t combination,
                                const td_workload *workload, td_problem *problem,
                                const td_workload **variant, td_error *error);
