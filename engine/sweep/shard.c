/* shard.c - the part of a sweep that one of several invocations runs. */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/digest.h"
#include "engine/engine.h"

/* ---- the expected time ---- */

/* Rates of a device per second, to the order of magnitude: only the ratio of two costs matters. */
typedef struct speed {
    double cells, bytes, flops;
} speed;

static const speed on_device = {3e11, 2e12, 5e12}, on_host = {2e9, 2e10, 5e9};

/* Time on top of the samples: verification, warm-up, graphs, and the tool's overhead per run. */
static const double RUN_S = 0.02, GROUP_S = 0.02, LEAST_SAMPLE_S = 0.001, MORE_LAUNCHES = 12.0;

/* The time of one launch, or of all steps of an automaton. */
static double launch_s(const td_run *run)
{
    const speed *s = run->engine->can.device_memory ? &on_device : &on_host;
    const td_workload *w = run->workload;
    const uint32_t steps = td_workload_steps(w, &run->problem);
    const double cells = (double)td_workload_cells(w, &run->problem) * (steps > 0 ? steps : 1);
    return cells / s->cells + (double)td_workload_bytes(w, &run->problem) / s->bytes +
           (double)td_workload_flops(w, &run->problem) / s->flops;
}

static double run_s(const td_run *run, const td_protocol *protocol)
{
    const double launch = launch_s(run);
    const double samples = fmax(launch, LEAST_SAMPLE_S) * protocol->samples;
    return RUN_S + MORE_LAUNCHES * launch + fmin(samples, protocol->max_time_s);
}

double td_group_cost_s(const td_group *group, const td_protocol *protocol)
{
    double cost = 0.0;
    for (size_t i = 0; i < group->count; i++) {
        const td_run *run = &group->runs[i];
        cost += run->skip[0] == '\0' && !run->unrecorded ? run_s(run, protocol) : 0.0;
    }
    return cost > 0.0 ? GROUP_S + cost : 0.0;
}

/* ---- the shards ---- */

/* A group to be dealt out. */
typedef struct lot {
    td_group *group;
    double cost_s;
} lot;

static int costliest_first(const void *a, const void *b)
{
    const lot *x = a, *y = b;
    if (x->cost_s < y->cost_s || x->cost_s > y->cost_s) {
        return x->cost_s < y->cost_s ? 1 : -1;
    }
    return (x->group > y->group) - (x->group < y->group);
}

/* The first of those that have the least. */
static uint32_t least_of(const double *loads_s, uint32_t count)
{
    uint32_t least = 0;
    for (uint32_t s = 1; s < count; s++) {
        least = loads_s[s] < loads_s[least] ? s : least;
    }
    return least;
}

/* Deal the groups out; those of other shards are emptied. */
static void deal_out(td_sweep *sweep, const td_protocol *protocol, lot *lots, double *loads_s)
{
    for (size_t g = 0; g < sweep->group_count; g++) {
        td_group *group = &sweep->groups[g];
        lots[g] = (lot){group, td_group_cost_s(group, protocol)};
    }
    qsort(lots, sweep->group_count, sizeof *lots, costliest_first);
    for (size_t g = 0; g < sweep->group_count; g++) {
        const uint32_t shard = least_of(loads_s, sweep->shard.count);
        loads_s[shard] += lots[g].cost_s;
        lots[g].group->count = shard == sweep->shard.index ? lots[g].group->count : 0;
    }
}

/* Move the groups that are not empty, and their runs, to the front. */
static void close_gaps(td_sweep *sweep)
{
    td_run *to = sweep->runs;
    size_t groups = 0;
    for (size_t g = 0; g < sweep->group_count; g++) {
        const td_group from = sweep->groups[g];
        if (from.count > 0) {
            memmove(to, from.runs, from.count * sizeof *to);
            sweep->groups[groups++] = (td_group){to, from.count};
            to += from.count;
        }
    }
    sweep->run_count = (size_t)(to - sweep->runs);
    sweep->group_count = groups;
}

static td_digest digest_of(const td_sweep *sweep)
{
    td_digest digest = {0};
    for (size_t r = 0; r < sweep->run_count; r++) {
        digest = td_digest_word(digest, sweep->runs[r].key);
    }
    return digest;
}

td_status td_sweep_shard(td_sweep *sweep, uint32_t index, uint32_t count,
                         const td_protocol *protocol, td_error *error)
{
    lot *lots = calloc(sweep->group_count, sizeof *lots);
    double *loads_s = calloc(count, sizeof *loads_s);
    const bool enough = lots != NULL && loads_s != NULL;
    if (enough) {
        sweep->shard = (td_shard){index, count, sweep->run_count, digest_of(sweep)};
        deal_out(sweep, protocol, lots, loads_s);
        close_gaps(sweep);
    }
    free(lots);
    free(loads_s);
    return enough ? TD_OK
                  : td_fail(error, TD_NO_MEMORY, "not enough memory to deal out %zu groups",
                            sweep->group_count);
}
