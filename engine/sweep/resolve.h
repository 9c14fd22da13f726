/* resolve.h - from what was given to the parameters of one workload, nothing left to default. */
#ifndef TD_ENGINE_SWEEP_RESOLVE_H
#define TD_ENGINE_SWEEP_RESOLVE_H

#include "engine/options/options.h"

/* How many combinations the words make that were given for a workload's parameters: 1 unless there are lists. */
size_t td_parameters_combinations(const td_options *options, const td_workload *workload);

/*
 * td_parameters_resolve - a workload's parameters: its defaults, then a pattern's rule, then what was given.
 *
 * Input   combination: below td_parameters_combinations; workload: of the registry; problem: with n
 * Output  problem->parameters; variant: the descriptor that they choose, and `workload` itself after an error
 * Errors  TD_USAGE: a word that this workload does not accept, though another does; no such combination
 */
td_status td_parameters_resolve(const td_options *options, size_t combination,
                                const td_workload *workload, td_problem *problem,
                                const td_workload **variant, td_error *error);

#endif
