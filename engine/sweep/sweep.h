/* sweep.h - sweep/ turns options into runs: every combination is resolved, checked and named. */
#pragma once

#include "engine/options/options.h"
#include "input.h"

/*
 * td_sweep_make - the runs that a command line selects, ordered by workload, N, block, tile, then strategy.
 *
 * A combination that cannot work becomes a run with `skip` filled in; where an option says `all`, as with --tune each
 * does that is not given, it is left out. If a strategy and a workload were both given by name, and none of their runs
 * can work, that is an error; so is a sweep without a run that works.
 *
 * With --tune there is a group for each workload, N and strategy, and no baseline.
 *
 * Input   input: opened, or NULL: none; its N takes the place of options->n. engine: executes the runs, see
 *         td_choose_engine
 * Output  sweep: call td_sweep_free; its strings belong to the registries and to `options`, the runs' input to `input`
 * Errors  TD_USAGE, TD_NO_MEMORY; then the sweep is empty
 */
td_status td_sweep_make(const td_options *options, const td_input *input,
                        const td_engine_ops *engine, td_sweep *sweep, td_error *error);

/*
 * td_sweep_shard - keep shard `index` of `count`.
 *
 * Groups stay whole, so that runs to compare are measured on one device, and their baseline once.
 *
 * Output  sweep: the shard's groups in their original order, and `shard` filled in
 */
void td_sweep_shard(td_sweep *sweep, uint32_t index, uint32_t count);

/*
 * td_group_cost_s - the expected time of a group [s].
 *
 * A rough model that tells a costly group from a cheap one: a sample takes at least a millisecond, and longer if its
 * cells, bytes and operations need more; all samples together take no longer than the protocol allows.
 *
 * Input   group: before or after sharding; runs that cannot work, or are done, cost nothing
 */
double td_group_cost_s(const td_group *group, const td_protocol *protocol);

void td_sweep_free(td_sweep *sweep);

/* Whether a run has kernels that launch kernels. */
bool td_sweep_has_trees(const td_sweep *sweep);
