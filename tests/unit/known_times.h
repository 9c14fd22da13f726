/* known_times.h - groups of runs with known times, for tests. */
#ifndef TD_TESTS_UNIT_KNOWN_TIMES_H
#define TD_TESTS_UNIT_KNOWN_TIMES_H

#include "noted_engine.h"

#include "engine/bench/group.h"
#include "command.h"

static char order[256]; /* one letter per sample, after the warm-up: 'a' plus the run's number */

static inline void note_sample(void *context, size_t run, const char *phase)
{
    const size_t length = strlen(order);
    (void)context;
    if (strcmp(phase, "sample") == 0 && length + 1 < sizeof order) {
        order[length] = (char)('a' + (char)run);
    }
}

enum { MOST_RUNS = 4 };

/* The results of a group, whose samples are gone: time_ms summarises them. Returns the number of runs. */
static inline size_t run_group(script as, const char *strategies, td_protocol protocol,
                               td_result results[MOST_RUNS])
{
    char line[LINE_SIZE];
    command c;
    const td_engine_config config = {.threads = 1};
    const td_observer observer = {.phase = note_sample};
    td_engine_ops ops = noted_ops();
    ops.can.energy = true;
    ops.can.graphs = !as.no_graphs;
    td_engine *engine;
    snprintf(line, sizeof line, "-s %s -n 64 --baseline none", strategies);
    make_ok(line, &c);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &c.error), TD_OK);
    engine->ops = &ops;
    as.is_steady = true;
    now = &as;
    prepared_count = launched = looks = 0;
    memset(order, 0, sizeof order);
    memset(results, 0, MOST_RUNS * sizeof *results);
    const td_group *group = &c.sweep.groups[0];
    const size_t count = group->count;
    assert_true(count <= MOST_RUNS);
    td_group_run(engine, &protocol, group, &observer, results);
    td_cpu_ops.close(engine);
    td_text_free(&trace);
    done(&c);
    for (size_t r = 0; r < count; r++) {
        td_result_free(&results[r]);
    }
    return count;
}

/* The result of a sole run. */
static inline td_result run_one(script as, td_protocol protocol)
{
    td_result results[MOST_RUNS];
    assert_int_equal(run_group(as, "bb", protocol, results), 1);
    return results[0];
}

#endif
