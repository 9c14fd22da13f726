/*
 * space.h - the space of --tune, which is all that it tries: for each workload, strategy and N, every block, tile,
 * kernel, schedule and memory that the command line leaves open.
 */
#pragma once

#include "engine/options/options.h"

/*
 * td_tune_space - make a group for each (workload, strategy, N) of a command line, with a run for each combination that
 * can work. The sweep's own rules decide what can work; this file only lists the values to try.
 *
 * Output  space: in a fixed order, each key once; call td_sweep_free
 * Errors  TD_USAGE: nothing can work at all, or nothing for a strategy chosen by name; TD_NO_MEMORY
 */
td_status td_tune_space(const td_options *options, const td_engine_ops *engine, td_sweep *space,
                        td_error *error);

/* Keep every count-th group, starting at `index`. Runs that are compared stay together. */
void td_tune_shard(td_sweep *space, uint32_t index, uint32_t count);
