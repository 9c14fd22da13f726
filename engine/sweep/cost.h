/* cost.h - the expected time of a group, for dealing groups out before any of them is measured. */
#pragma once

#include "engine/core/run.h"

/*
 * td_cost_of_group - the expected time of a group [s].
 *
 * A rough model that tells a costly group from a cheap one: a sample takes at least a millisecond, and longer if its
 * cells, bytes and operations need more; all samples together take no longer than the protocol allows.
 *
 * Input   group: before or after sharding; runs that cannot work cost nothing
 */
double td_cost_of_group(const td_group *group, const td_protocol *protocol);
