/* shard.c - the part of a sweep that one of several invocations runs. */
#include "sweep.h"

#include <math.h>
#include <string.h>

#include "engine/core/digest.h"
#include "engine/engine.h"

/* ---- the expected time ---- */

/* Rates of a device per second, to the order of magnitude: only the ratio of two costs matters. */
static const double CELLS_PER_S = 3e11, BYTES_PER_S = 2e12, FLOPS_PER_S = 5e12, HOST_SLOWER = 100.0;

/* Time on top of the samples: verification, warm-up, graphs, and the tool's overhead per run. */
static const double RUN_S = 0.02, LEAST_SAMPLE_S = 0.001, MORE_LAUNCHES = 12.0;

static double run_s(const td_run *run, const td_protocol *protocol)
{
    const td_workload *w = run->workload;
    const uint32_t steps = td_workload_steps(w, &run->problem);
    const double cells = (double)td_workload_cells(w, &run->problem) * (steps > 0 ? steps : 1);
    const double launch_s =
        (cells / CELLS_PER_S + (double)td_workload_bytes(w, &run->problem) / BYTES_PER_S +
         (double)td_workload_flops(w, &run->problem) / FLOPS_PER_S) *
        (run->engine->can.device_memory ? 1.0 : HOST_SLOWER);
    const double samples_s = fmax(launch_s, LEAST_SAMPLE_S) * protocol->samples;
    return RUN_S + MORE_LAUNCHES * launch_s + fmin(samples_s, protocol->max_time_s);
}

double td_group_cost_s(const td_group *group, const td_protocol *protocol)
{
    double cost = 0.0;
    for (size_t i = 0; i < group->count; i++) {
        const td_run *run = &group->runs[i];
        cost += run->skip[0] == '\0' && !run->unrecorded ? run_s(run, protocol) : 0.0;
    }
    return cost;
}

/* ---- the shards ---- */

/* Groups are dealt out forwards, then backwards, because they usually grow with N: of three shards the first has groups
 * 0, 5, 6, 11 ... */
static bool is_in_shard(size_t group, uint32_t index, uint32_t count)
{
    const size_t place = group % (2 * (size_t)count);
    return index == (place < count ? place : 2 * (size_t)count - 1 - place);
}

static td_digest digest_of(const td_sweep *sweep)
{
    td_digest digest = {0};
    for (size_t r = 0; r < sweep->run_count; r++) {
        digest = td_digest_word(digest, sweep->runs[r].key);
    }
    return digest;
}

void td_sweep_shard(td_sweep *sweep, uint32_t index, uint32_t count)
{
    td_run *to = sweep->runs;
    size_t groups = 0;
    sweep->shard = (td_shard){index, count, sweep->run_count, digest_of(sweep)};
    for (size_t g = 0; g < sweep->group_count; g++) {
        const td_group from = sweep->groups[g];
        if (is_in_shard(g, index, count)) {
            memmove(to, from.runs, from.count * sizeof *to);
            sweep->groups[groups++] = (td_group){to, from.count};
            to += from.count;
        }
    }
    sweep->run_count = (size_t)(to - sweep->runs);
    sweep->group_count = groups;
}
