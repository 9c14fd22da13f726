/* slurm.h - finds this task's part of the work from what Slurm tells a task of a job array. */
#pragma once

#include "engine/core/error.h"

/*
 * td_slurm_shard - index and count of this task's shard.
 *
 * Array jobs may start anywhere and go in steps (--array=10-30:10); shards count from 0.
 *
 * Errors  TD_USAGE: not in a job array, or numbers that make no sense; the caller checks that index < count
 */
td_status td_slurm_shard(uint64_t *index, uint64_t *count, td_error *error);
