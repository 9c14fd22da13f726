/* sampling_test.c - rounds, batches, set-ups and the time budget, on an engine with a simulated clock. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/core/stats.h"
#include "engine/prepare/buffers.h"
#include "made_up_engine.h"

static void short_launches_are_sampled_in_batches_of_a_millisecond(void **state)
{
    static const struct {
        double launch_ms;
        uint32_t batch;
    } cases[] = {{0.25, 4}, {0.3, 4}, {1.0, 1}, {5.0, 1}};
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        launch_ms = cases[i].launch_ms;
        const size_t count = run_group("bb", protocol, results);
        const td_result r = results[0];
        const double first_ms = r.sample_count > 0 ? r.sample_ms[0] : 0.0;
        release(results, count);
        assert_int_equal(r.sample_count, 3);
        assert_int_equal(r.batch, cases[i].batch);
        assert_true(first_ms == launch_ms); /* of a launch, not of a batch */
    }
}

/* Of 100 generations 4 are sampled, two batches of which last a millisecond. */
static void few_launches_of_an_automaton_tell_the_time_of_all(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10, .launches = 4};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 0.125;
    generations = 100;
    const size_t count = run_group("bb", protocol, results);
    generations = 0;
    const td_result r = results[0];
    const double first_ms = r.sample_count > 0 ? r.sample_ms[0] : 0.0;
    release(results, count);
    assert_int_equal(r.batch, 2);
    assert_int_equal(r.kernels, 100);
    assert_true(first_ms == 12.5);
}

/* The first launches vary in time. The choice of a graph must not depend on them, or a run has two times. */
static void a_graph_does_not_hang_on_the_first_launch(void **state)
{
    static const struct {
        double cold_ms, launch_ms;
        bool graph;
    } cases[] = {{0.0499, 0.046, true},  {0.0501, 0.046, true}, {0.3, 0.046, true},
                 {0.1, 0.4, true},       {1.5, 0.4, true},      {1.5, 1.2, false},
                 {0.0501, 0.0499, true}, {0.0499, 0.0501, true}};
    const td_protocol protocol = {.samples = 1, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cold_ms = cases[i].cold_ms;
        launch_ms = cases[i].launch_ms;
        release(results, run_group("bb", protocol, results));
        cold_ms = 0.0;
        assert_int_equal(results[0].graph, cases[i].graph);
    }
}

/* Batches still have several launches, but none through a graph. */
static void host_samples_have_no_graph(void **state)
{
    td_protocol protocol = {.samples = 5, .warmup = 3, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 0.01;
    release(results, run_group("bb", protocol, results));
    assert_true(results[0].graph);
    const uint32_t batch = results[0].batch;
    protocol.sampling = TD_SAMPLING_HOST;
    release(results, run_group("bb", protocol, results));
    assert_int_equal(results[0].batch, batch);
    assert_int_equal(results[0].sampling, TD_SAMPLING_HOST);
    assert_false(results[0].graph);
    launch_ms = 0.5;
}

/* 0.1 s per run and 10 ms per launch: ten rounds, whatever the number of runs. */
static void time_budget_is_a_runs(void **state)
{
    const td_protocol protocol = {.samples = 50, .warmup = 1, .max_time_s = 0.1};
    static char *const groups[] = {"bb", "bb,ltm", "bb,ltm,rb,utm"};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 10.0;
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        const size_t count = run_group(groups[g], protocol, results);
        uint32_t least = UINT32_MAX, most = 0;
        for (size_t r = 0; r < count; r++) {
            least = results[r].sample_count < least ? results[r].sample_count : least;
            most = results[r].sample_count > most ? results[r].sample_count : most;
        }
        release(results, count);
        assert_int_equal(least, 10);
        assert_int_equal(most, 10);
    }
}

static void each_round_has_every_run_once_in_an_order_of_its_own(void **state)
{
    enum { ROUNDS = 40, RUNS = 4 };
    td_protocol protocol = {.samples = ROUNDS, .warmup = 1, .max_time_s = 10, .seed = 1};
    td_result results[MOST_RUNS];
    char first[sizeof order];
    size_t at_front[RUNS] = {0}, wrong = 0;
    (void)state;
    launch_ms = 1.0;
    release(results, run_group("bb,ltm,rb,utm", protocol, results));
    memcpy(first, order, sizeof first);
    assert_int_equal(strlen(first), ROUNDS * RUNS);
    for (size_t round = 0; round < ROUNDS; round++) {
        const char *samples = first + round * RUNS;
        for (int r = 0; r < RUNS; r++) {
            wrong += memchr(samples, 'a' + r, RUNS) == NULL;
        }
        at_front[samples[0] - 'a']++;
    }
    assert_int_equal(wrong, 0);
    for (int r = 0; r < RUNS; r++) {
        assert_true(at_front[r] >= 3 && at_front[r] <= 20); /* ten, give or take */
    }
    release(results, run_group("bb,ltm,rb,utm", protocol, results));
    assert_string_equal(order, first);
    protocol.seed = 2;
    release(results, run_group("bb,ltm,rb,utm", protocol, results));
    assert_string_not_equal(order, first);
}

/* Every run's cold sample is one launch, however short, after a flush of the caches. */
static void cold_samples_are_one_launch_behind_a_flush(void **state)
{
    enum { SAMPLES = 4, RUNS = 3 };
    const td_protocol protocol = {
        .samples = SAMPLES, .warmup = 1, .max_time_s = 10, .cache = TD_CACHE_COLD};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 0.01;
    flushes = 0;
    const size_t count = run_group("bb,ltm,rb", protocol, results);
    const size_t length = strlen(flush_order);
    assert_int_equal(count, RUNS);
    for (size_t r = 0; r < count; r++) {
        assert_int_equal(results[r].batch, 1);
        assert_int_equal(results[r].sample_count, SAMPLES);
    }
    release(results, count);
    launch_ms = 0.5;
    assert_true(flushes >= SAMPLES * RUNS);
    for (size_t i = 0; i < SAMPLES * RUNS; i++) { /* backwards from the end of the line */
        assert_int_equal(flush_order[length - 1 - 2 * i], 's');
        assert_int_equal(flush_order[length - 2 - 2 * i], 'f');
    }
}

/* One of three launches is quick. The median gives the time of a launch, and so the batch size. */
static double one_of_three_is_quick(uint32_t launches)
{
    return launches % 3 == 0 ? 0.25 : 1.0;
}

static void a_launch_is_the_median_of_three_not_the_least(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 0.5;
    launched = 0;
    course = one_of_three_is_quick;
    release(results, run_group("bb", protocol, results));
    course = NULL;
    assert_int_equal(results[0].batch, 2); /* 8 of 1/8 ms, if the least counted */
}

/* All memory that a run needs must be free, to the byte. */
static void memory_that_is_not_free_is_not_enough(void **state)
{
    const td_protocol protocol = {.samples = 1, .warmup = 1, .max_time_s = 10};
    const td_problem problem = {.n = 64, .layout = TD_PACKED, .seed = 1};
    const uint64_t needed = td_buffers_bytes(td_workload_find("dummy", 2), &problem);
    td_result results[MOST_RUNS];
    (void)state;
    for (int lacking = 0; lacking < 2; lacking++) {
        free_bytes = needed - (uint64_t)lacking;
        release(results, run_group("bb", protocol, results));
        free_bytes = 0;
        assert_int_equal(results[0].status, lacking ? TD_RUN_FAILED : TD_RUN_OK);
    }
}

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
static void precision_ends_the_samples(void **state)
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
    (void)state;
    launch_ms = 2.0;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_protocol protocol = {
            .samples = 100, .max_time_s = 10, .precision = cases[i].precision};
        td_result results[MOST_RUNS];
        course = cases[i].course;
        launched = 0;
        const size_t count = run_group("bb", protocol, results);
        const uint32_t samples = results[0].sample_count;
        const double asked = results[0].precision;
        course = NULL;
        release(results, count);
        assert_in_range(samples, cases[i].least, cases[i].most);
        assert_true(samples == 100 || td_is_checkpoint(samples));
        assert_true(asked == cases[i].precision);
    }
}

/* A precise run takes no more samples while others continue. */
static void precision_is_each_runs_own(void **state)
{
    const td_protocol protocol = {.samples = 100, .max_time_s = 10, .precision = 0.01};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 2.0;
    launched = 0;
    course = calming_down_later;
    taken_by = "rb";
    const size_t count = run_group("bb,rb,ltm", protocol, results);
    course = NULL;
    taken_by = NULL;
    const uint32_t samples[] = {results[0].sample_count, results[1].sample_count,
                                results[2].sample_count};
    release(results, count);
    assert_int_equal(samples[0], 11);
    assert_int_equal(samples[2], 11);
    assert_true(samples[1] > 21 && samples[1] < 100 && td_is_checkpoint(samples[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cold_samples_are_one_launch_behind_a_flush),
        cmocka_unit_test(a_launch_is_the_median_of_three_not_the_least),
        cmocka_unit_test(memory_that_is_not_free_is_not_enough),
        cmocka_unit_test(short_launches_are_sampled_in_batches_of_a_millisecond),
        cmocka_unit_test(few_launches_of_an_automaton_tell_the_time_of_all),
        cmocka_unit_test(a_graph_does_not_hang_on_the_first_launch),
        cmocka_unit_test(host_samples_have_no_graph),
        cmocka_unit_test(time_budget_is_a_runs),
        cmocka_unit_test(precision_ends_the_samples),
        cmocka_unit_test(precision_is_each_runs_own),
        cmocka_unit_test(each_round_has_every_run_once_in_an_order_of_its_own),
    };
    return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
