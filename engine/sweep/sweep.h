/* sweep.h - sweep/ turns options into runs: every combination, resolved, checked, named. */
#ifndef TD_ENGINE_SWEEP_SWEEP_H
#define TD_ENGINE_SWEEP_SWEEP_H

#include "engine/options/options.h"

/*
 * td_sweep_make - the runs that a command line selects, ordered by workload, N, block, tile, then strategy.
 *
 * A combination that cannot work is an error when all that takes part in it was asked for by name and alone, and a run
 * with `skip` filled in when some of it came out of a set or a list. Nothing left to run is an error as well.
 *
 * Input   engine: what executes, see td_engine_resolve
 * Output  sweep: call td_sweep_free; its strings belong to the registries and to `options`
 * Errors  TD_USAGE, TD_NO_MEMORY; the sweep is empty then
 */
td_status td_sweep_make(const td_options *options, const td_engine_ops *engine, td_sweep *sweep,
                        td_error *error);

/*
 * td_sweep_try - the same for a search: what cannot work has `skip` filled in, whoever asked for it, and nothing left
 * to run is no error.
 */
td_status td_sweep_try(const td_options *options, const td_engine_ops *engine, td_sweep *sweep,
                       td_error *error);

/* td_sweep_of_one - a run of such a sweep as one of its own, beside its baseline, which is not recorded. */
td_status td_sweep_of_one(const td_options *options, const td_run *run, td_sweep *sweep,
                          td_error *error);

/*
 * td_sweep_shard - keep shard `index` of `count`.
 *
 * Groups stay whole: what is compared is measured on one device, and its baseline once. The costliest group goes first
 * to the shard that has least to do, so that all shards are expected to take about as long. Every shard deals them out
 * alike, from the same command line.
 *
 * Output  sweep: the groups of the shard in their old order, and `shard` filled in
 * Errors  TD_NO_MEMORY
 */
td_status td_sweep_shard(td_sweep *sweep, uint32_t index, uint32_t count,
                         const td_protocol *protocol, td_error *error);

void td_sweep_free(td_sweep *sweep);

#endif
