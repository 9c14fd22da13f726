/* sampling_test.c - batches, rounds and the time budget, on an engine with a simulated clock. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/core/stats.h"
#include "engine/host.h"
#include "engine/prepare/buffers.h"
#include "known_times.h"

/* Samples are asked for like this, unless a test says otherwise. */
static td_protocol samples_of(uint32_t samples)
{
    return (td_protocol){.samples = samples, .warmup = 1, .max_time_s = 10};
}

/* ---- batches ---- */

/* One of three launches is quick. */
static double first_is_quick(uint32_t launches)
{
    return launches % 3 == 0 ? 0.25 : 1.0;
}

static double last_is_quick(uint32_t launches)
{
    return launches % 3 == 2 ? 0.25 : 1.0;
}

/* Launches that load code take 1.5 times as long. A batch sized by them alone would last 2/3 ms. */
static double cold_at_first(uint32_t launches)
{
    return launches < 2 ? 1.5 : 1.0;
}

/* A sample lasts a millisecond or more. Its batch is sized by the median of launches, not by the least or the first:
 * 8 launches of 1/8 ms, or 7 that were cold. A graph must not depend on the first launches either, which vary in time,
 * or a run would have two times. Samples from the host have none. */
TEST(short_launches_are_sampled_in_batches_of_a_millisecond)
{
    static const struct {
        script engine;
        uint32_t batch;
        bool graph;
        bool from_host;
    } cases[] = {{{.launch_ms = 0.25}, 4, true, false},
                 {{.launch_ms = 0.3}, 4, true, false},
                 {{.launch_ms = 1.0}, 1, false, false},
                 {{.launch_ms = 5.0}, 1, false, false},
                 {{.launch_ms = 0.01}, 100, true, false},
                 {{.launch_ms = 0.01}, 100, false, true},
                 {{.launch_ms = 0.01, .no_graphs = true}, 100, false, false},
                 {{.launch_ms = 0.5, .course = first_is_quick}, 2, true, false},
                 {{.launch_ms = 0.5, .course = last_is_quick}, 2, true, false},
                 {{.launch_ms = 0.1, .course = cold_at_first}, 10, true, false},
                 {{.launch_ms = 0.046, .cold_ms = 0.0499}, 21, true, false},
                 {{.launch_ms = 0.046, .cold_ms = 0.0501}, 22, true, false},
                 {{.launch_ms = 0.046, .cold_ms = 0.3}, 22, true, false},
                 {{.launch_ms = 0.4, .cold_ms = 0.1}, 10, true, false},
                 {{.launch_ms = 0.4, .cold_ms = 1.5}, 3, true, false},
                 {{.launch_ms = 1.2, .cold_ms = 1.5}, 1, false, false},
                 {{.launch_ms = 0.0499, .cold_ms = 0.0501}, 20, true, false},
                 {{.launch_ms = 0.0501, .cold_ms = 0.0499}, 21, true, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_protocol protocol = samples_of(3);
        protocol.sampling = cases[i].from_host ? TD_SAMPLING_HOST : TD_SAMPLING_BATCHED;
        const td_result r = run_one(cases[i].engine, protocol);
        assert_int_equal(r.time_ms.count, 3);
        assert_int_equal(r.batch, cases[i].batch);
        assert_int_equal(r.graph, cases[i].graph);
        assert_int_equal(r.sampling, protocol.sampling);
        if (cases[i].engine.course == NULL) { /* of a launch, not of a batch */
            assert_true(fabs(r.time_ms.median - cases[i].engine.launch_ms) < 1e-12);
        }
    }
}

/* ---- rounds ---- */

/* The budget is for the batches of one run, whatever the number of runs: ten rounds of 10 ms in 0.1 s. */
TEST(a_time_budget_is_a_runs)
{
    static const struct {
        char *strategies;
        double launch_ms, max_time_s;
        uint32_t least, most;
    } cases[] = {{"bb", 10.0, 0.1, 10, 10},
                 {"bb,ltm", 10.0, 0.1, 10, 10},
                 {"bb,ltm,rb,utm", 10.0, 0.1, 10, 10},
                 {"bb", 0.01, 0.02, 20, 21}};
    td_result results[MOST_RUNS];
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_protocol protocol = samples_of(200);
        protocol.max_time_s = cases[i].max_time_s;
        const size_t count = run_group((script){.launch_ms = cases[i].launch_ms},
                                       cases[i].strategies, protocol, results);
        for (size_t r = 0; r < count; r++) {
            assert_in_range(results[r].time_ms.count, cases[i].least, cases[i].most);
        }
    }
}

TEST(each_round_has_every_run_once_in_an_order_of_its_own)
{
    enum { ROUNDS = 40, RUNS = 4 };
    td_protocol protocol = samples_of(ROUNDS);
    td_result results[MOST_RUNS];
    char lines[3][sizeof order];
    size_t at_front[RUNS] = {0}, wrong = 0;
    for (int i = 0; i < 3; i++) {
        protocol.seed = i < 2 ? 1 : 2;
        run_group((script){.launch_ms = 1.0}, "bb,ltm,rb,utm", protocol, results);
        memcpy(lines[i], order, sizeof order);
    }
    assert_int_equal(strlen(lines[0]), ROUNDS * RUNS);
    for (size_t round = 0; round < ROUNDS; round++) {
        const char *samples = lines[0] + round * RUNS;
        for (int r = 0; r < RUNS; r++) {
            wrong += memchr(samples, 'a' + r, RUNS) == NULL;
        }
        at_front[samples[0] - 'a']++;
    }
    assert_int_equal(wrong, 0);
    for (int r = 0; r < RUNS; r++) {
        assert_true(at_front[r] >= 3 && at_front[r] <= 20); /* ten, give or take */
    }
    assert_string_equal(lines[1], lines[0]);
    assert_string_not_equal(lines[2], lines[0]);
}

/* All memory that a run needs must be free, to the byte. */
TEST(memory_that_is_not_free_is_not_enough)
{
    const td_problem problem = {.n = 64, .layout = TD_PACKED, .seed = 1};
    const uint64_t needed = td_buffers_bytes(td_workload_find("dummy", 2), &problem);
    for (uint64_t lacking = 0; lacking < 2; lacking++) {
        const script engine = {.launch_ms = 1.0, .free_bytes = needed - lacking};
        assert_int_equal(run_one(engine, samples_of(1)).status,
                         lacking > 0 ? TD_RUN_FAILED : TD_RUN_OK);
    }
}

static bool crowds[2]; /* what the host says at the first look, and at the second */
static size_t looks_at_host;

bool __wrap_td_host_is_crowded(const char *proc, td_core_use *use);
bool __wrap_td_host_is_crowded(const char *proc, td_core_use *use)
{
    (void)proc, (void)use;
    return crowds[looks_at_host++ % 2];
}

/* The engine's clocks rise with every read. */
TEST(clocks_and_load_are_read_before_the_samples_and_after_them)
{
    for (int i = 0; i < 4; i++) {
        crowds[0] = i % 2 == 1;
        crowds[1] = i / 2 == 1;
        const td_result r = run_one((script){.launch_ms = 1.0}, samples_of(3));
        assert_true(r.before.sm_mhz > 0.0);
        assert_true(r.after.sm_mhz > r.before.sm_mhz);
        assert_int_equal(r.crowded, crowds[0] || crowds[1]);
    }
}

/* ---- --precision ---- */

static double quiet(uint32_t launches)
{
    return 1.0 + 1e-4 * (launches % 7);
}

static double wild(uint32_t launches)
{
    return 1.0 + 0.1 * (launches % 7);
}

/* Samples that vary, then a quiet end. */
static double calming_down(uint32_t launches)
{
    return launches < 20 ? wild(launches) : quiet(launches);
}

static double calming_down_later(uint32_t launches)
{
    return launches < 60 ? wild(launches) : quiet(launches);
}

/* Precision is checked at checkpoints only; --samples ends a run that never becomes precise. */
TEST(precision_ends_the_samples)
{
    static const struct {
        double (*course)(uint32_t launches);
        double precision;
        uint32_t least, most;
    } cases[] = {{quiet, 0.01, 11, 11},
                 {quiet, 0, 100, 100},
                 {wild, 0.01, 100, 100},
                 {wild, 0.5, 11, 11},
                 {calming_down, 0.01, 15, 79}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_protocol protocol = {
            .samples = 100, .max_time_s = 10, .precision = cases[i].precision};
        const td_result r =
            run_one((script){.launch_ms = 2.0, .course = cases[i].course}, protocol);
        const uint32_t samples = (uint32_t)r.time_ms.count;
        assert_in_range(samples, cases[i].least, cases[i].most);
        assert_true(samples == 100 || td_is_checkpoint(samples));
        assert_true(r.precision == cases[i].precision);
    }
}

static double slow_and_wild(uint32_t launches)
{
    return 2.0 * wild(launches);
}

/* A precise run takes no more samples while others continue. In a search, neither does one whose interval lies above
 * another one's. */
TEST(precision_is_each_runs_own_and_the_beaten_take_no_more_samples)
{
    static const struct {
        double (*course)(uint32_t launches); /* of the second run */
        bool is_race;
        uint32_t least, most; /* its samples */
    } cases[] = {{calming_down_later, false, 22, 99},
                 {slow_and_wild, false, 100, 100},
                 {slow_and_wild, true, 11, 21}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_protocol protocol = {
            .samples = 100, .max_time_s = 10, .precision = 0.01, .is_race = cases[i].is_race};
        const script engine = {.launch_ms = 2.0, .course = cases[i].course, .taken_by = "rb"};
        td_result results[MOST_RUNS];
        run_group(engine, "bb,rb,ltm", protocol, results);
        const uint32_t samples = (uint32_t)results[1].time_ms.count;
        assert_int_equal(results[0].time_ms.count, 11);
        assert_int_equal(results[2].time_ms.count, 11);
        assert_in_range(samples, cases[i].least, cases[i].most);
        assert_true(samples == 100 || td_is_checkpoint(samples));
    }
}
