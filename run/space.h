/*
 * space.h - the space of --tune is all that it tries: for a workload, a strategy and an N every block, tile, kernel,
 * schedule and memory that the command line leaves open.
 */
#ifndef TD_RUN_SPACE_H
#define TD_RUN_SPACE_H

#include "engine/options/options.h"

/*
 * td_tune_space - a group for each (workload, strategy, N) of a command line, with a run for each combination that can
 * work. What can, the sweep's own rules decide; here are only the values that are tried.
 *
 * Output  space: in a fixed order, each key once; call td_sweep_free
 * Errors  TD_USAGE: nothing can work for what was asked for by name, or for anything; TD_NO_MEMORY
 */
td_status td_tune_space(const td_options *options, const td_engine_ops *engine, td_sweep *space,
                        td_error *error);

/* Keep every count-th group from `index` on: what is compared stays together. */
void td_tune_shard(td_sweep *space, uint32_t index, uint32_t count);

#endif
