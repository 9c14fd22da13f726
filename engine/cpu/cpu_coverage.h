/* cpu_coverage.h - determines the coverage of a map on the host's cores. */
#pragma once

#include "engine/core/coverage.h"

/*
 * td_cpu_coverage - evaluate a map for every block (or thread) of a plan and count its visits.
 *
 * Input   visits[places]: zeroed, one counter per place
 * Output  visits, coverage
 */
void td_cpu_coverage(const td_strategy *strategy, const td_plan *plan, uint32_t *visits,
                     uint64_t places, td_coverage *coverage);
