/* compatibility.h - which combinations of options, strategies and workloads cannot work. */
#pragma once

#include "draft.h"

/* Whether a run of the draft, with strategy, tile and cutoff resolved, cannot work. run->skip: the first reason why. */
bool td_compatibility_fails(const td_options *options, const td_draft *draft, td_run *run);

/* The option that goes with exactly one run; NULL: none was given. */
const char *td_option_of_one_run(const td_options *options);

/*
 * td_sweep_check - check that a sweep has runs that can work, and that every parameter given and --cutoff apply to one
 * of them. The other runs of a mixed sweep ignore them.
 *
 * Input   why: why a combination that was left out cannot work; empty: none was
 * Errors  TD_USAGE
 */
td_status td_sweep_check(const td_options *options, const td_sweep *sweep, const char *why,
                         td_error *error);
