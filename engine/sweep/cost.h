/* cost.h - how long a group will take, for whoever has to deal groups out before any of them was measured. */
#ifndef TD_ENGINE_SWEEP_COST_H
#define TD_ENGINE_SWEEP_COST_H

#include "engine/core/run.h"

/*
 * td_cost_of_group - the expected time of a group [s].
 *
 * A model, good for telling a costly group from a cheap one: runs take samples of at least a millisecond, and longer
 * where their cells, bytes and operations ask for it, but never longer than the protocol allows.
 *
 * Input   group: before or after sharding; its runs that cannot work cost nothing
 */
double td_cost_of_group(const td_group *group, const td_protocol *protocol);

#endif
