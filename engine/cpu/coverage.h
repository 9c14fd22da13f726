/* cpu_survey.h - the survey of a map on the host's cores. */
#ifndef TD_CPU_SURVEY_H
#define TD_CPU_SURVEY_H

#include "engine/bench/coverage.h"

/*
 * td_cpu_survey - ask a map about every block (or thread) of a plan.
 *
 * Input   visits[places]: zeroed, one counter a place
 * Output  visits, survey
 */
void td_cpu_survey(const td_strategy *strategy, const td_plan *plan, uint32_t *visits,
                   uint64_t places, td_survey *survey);

#endif
