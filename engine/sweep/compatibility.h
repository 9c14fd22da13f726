/* compatibility.h - which combinations of options, strategies and workloads cannot work. */
#pragma once

#include "draft.h"

/* The parts of a combination that clash: it is an error only if all of them were requested by name. */
enum {
    TD_CLASH_OF_STRATEGY = 1,
    TD_CLASH_OF_WORKLOAD = 2,
    TD_CLASH_OF_VALUES = 4 /* of --n, --block, --tile */
};

/*
 * td_compatibility_check - the first reason why a run cannot work.
 *
 * Input   run: of the draft, with strategy, tile and cutoff resolved
 * Output  run->skip: the reason, empty if the run can work; the parts that clash, 0 if it can
 */
unsigned td_compatibility_check(const td_options *options, const td_draft *draft, td_run *run);

/* The option that goes with exactly one run; NULL: none was given. */
const char *td_option_of_one_run(const td_options *options);

/*
 * td_sweep_check - check that a sweep has runs that can work, and that every option given applies to one of its runs.
 *
 * One such run is enough: the other runs of a mixed sweep ignore the option.
 *
 * Input   why: why a combination that was left out cannot work; empty: none was
 * Errors  TD_USAGE, which names the workloads or strategies that take the option
 */
td_status td_sweep_check(const td_options *options, const td_sweep *sweep, const char *why,
                         td_error *error);
