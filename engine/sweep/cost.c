#include "cost.h"

#include <math.h>

#include "engine/engine.h"

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

double td_cost_of_group(const td_group *group, const td_protocol *protocol)
{
    double cost = 0.0;
    for (size_t i = 0; i < group->count; i++) {
        if (group->runs[i].skip[0] == '\0') {
            cost += run_s(&group->runs[i], protocol);
        }
    }
    return cost > 0.0 ? GROUP_S + cost : 0.0;
}
