/* sample_group.h - a group of runs as an engine would return it, for the tests of report/. */
#ifndef TD_TESTS_UNIT_SAMPLE_GROUP_H
#define TD_TESTS_UNIT_SAMPLE_GROUP_H

#include <stdio.h>
#include <string.h>

#include "engine/bench/group.h"
#include "engine/cpu/row.h"
#include "engine/options/options.h"
#include "engine/core/run.h"

enum { SAMPLE_RUNS = 5, SAMPLE_COUNT = 51 };

/* bb is the baseline, ltm-r is twice as fast, rec failed, dp was skipped, and utm was measured only
 * for others. */
typedef struct sample_group {
    td_strategy strategies[SAMPLE_RUNS];
    td_workload workload;
    td_run runs[SAMPLE_RUNS];
    td_result results[SAMPLE_RUNS];
    double ms[SAMPLE_RUNS][SAMPLE_COUNT];
    td_group group;
    td_environment environment;
} sample_group;

static inline void sample_run(sample_group *g, int i, const char *name)
{
    g->strategies[i].name = name;
    td_run *run = &g->runs[i];
    snprintf(run->key, sizeof run->key, "cpu/edm4/%s/n64/b16x16/t16/packed/seed1", name);
    run->strategy = &g->strategies[i];
    run->workload = &g->workload;
    run->engine = &td_cpu_ops;
    run->problem = (td_problem){.n = 64, .layout = TD_PACKED, .seed = 1};
    run->block = (td_dim3){16, 16, 1};
    run->tile = 16;
}

static inline void sample_measured(sample_group *g, int i, double base_ms)
{
    td_result *r = &g->results[i];
    for (int s = 0; s < SAMPLE_COUNT; s++) {
        g->ms[i][s] = base_ms * (1 + 0.01 * s);
    }
    *r = (td_result){.status = TD_RUN_OK,
                     .kernels = 1,
                     .blocks = 16,
                     .blocks_needed = 10,
                     .threads = 4096,
                     .cells = 2080,
                     .verified = TD_VERIFIED_PASS,
                     .checked = 2080,
                     .bytes = 9344,
                     .flops = 27040,
                     .launch_bytes = 9344,
                     .passes = 1,
                     .working_set_bytes = 9344,
                     .sample_count = SAMPLE_COUNT,
                     .warmup = 3,
                     .batch = 10,
                     .sample_ms = g->ms[i],
                     .before = {-1, -1, -1, -1, -1, -1},
                     .after = {-1, -1, -1, -1, -1, -1}};
}

static inline void sample_make(sample_group *g)
{
    static const char *const names[SAMPLE_RUNS] = {"ltm-r", "bb", "rec", "dp", "utm"};
    memset(g, 0, sizeof *g);
    g->workload = (td_workload){.name = "edm4", .dimension = 2};
    for (int i = 0; i < SAMPLE_RUNS; i++) {
        sample_run(g, i, names[i]);
    }
    sample_measured(g, 0, 0.5);
    sample_measured(g, 1, 1.0);
    sample_measured(g, 4, 2.0);
    g->runs[1].is_baseline = true;
    g->runs[4].unrecorded = true;
    g->results[2].status = TD_RUN_FAILED;
    g->results[2].kernels = 3;
    g->results[2].started_unix_s = 1767323045.25; /* 2026-01-02T03:04:05.250Z */
    snprintf(g->results[2].reason, TD_REASON_SIZE, "the device said \"no\", twice");
    g->results[3].status = TD_RUN_SKIPPED;
    snprintf(g->runs[3].skip, TD_REASON_SIZE, "dp needs a GPU");
    g->group = (td_group){g->runs, SAMPLE_RUNS};
    snprintf(g->environment.host, sizeof g->environment.host, "node1");
    td_group_summarise(&g->group, g->results);
}

/* The options of a report to `path`. Only one can be in use at a time. */
static inline td_options sample_options(const char *path, td_format format)
{
    static char *argv[] = {"tribench", "--strategy", "a \"quoted\" \\ word\n",
                           "not utf-8: \xff\xc3"};
    static char name[256];
    static td_target target;
    snprintf(name, sizeof name, "%s", path);
    target = (td_target){.path = name, .format = format};
    td_options options = {
        .outputs = &target, .output_count = 1, .format = format, .argv = argv, .argc = 4};
    return options;
}

#endif
