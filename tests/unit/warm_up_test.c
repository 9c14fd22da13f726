/* warm_up_test.c - the length of the warm-up, on an engine with a simulated clock. */
#include "test.h"

#include "made_up_engine.h"

/* The number of warm-up launches of a run with this course of launch times (NULL: constant). */
static uint32_t launches_on(td_protocol protocol, double (*taken)(uint32_t launches))
{
    td_result results[MOST_RUNS];
    course = taken;
    launched = 0;
    const size_t count = run_group("bb", protocol, results);
    const uint32_t warmup = results[0].warmup;
    course = NULL;
    release(results, count);
    return warmup;
}

static void warming_up_takes_at_least_as_many_launches_as_asked_for(void **state)
{
    const td_protocol protocol = {.samples = 1, .warmup = 100, .max_time_s = 10};
    (void)state;
    launch_ms = 2.0;
    const uint32_t warmup = launches_on(protocol, NULL);
    assert_true(warmup >= 100 && warmup < 120);
}

/* Launches of 10 ms, more than fit: the warm-up ends after 2 s, or twice the time budget. */
static void warming_up_ends_in_time(void **state)
{
    static const struct {
        double max_time_s;
        uint32_t launches;
    } cases[] = {{10, 200}, {0.1, 20}};
    (void)state;
    launch_ms = 10.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const td_protocol protocol = {
            .samples = 1, .warmup = 100000, .max_time_s = cases[i].max_time_s};
        const uint32_t warmup = launches_on(protocol, NULL);
        assert_true(warmup >= cases[i].launches && warmup < cases[i].launches + 10);
    }
}

/* Two launches find the batch, then come three rounds. Only the group's first run has three launches per round. */
static void the_first_run_of_a_group_wakes_the_device(void **state)
{
    const td_protocol protocol = {.samples = 1, .warmup = 3, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 2.0;
    const size_t count = run_group("bb,ltm,rb", protocol, results);
    const uint32_t warmup[] = {results[0].warmup, results[1].warmup, results[2].warmup};
    release(results, count);
    assert_int_equal(warmup[0], 2 + 3 * 3);
    assert_int_equal(warmup[1], 2 + 3);
    assert_int_equal(warmup[2], 2 + 3);
}

/* A profiler sees one launch. */
static void a_profiled_run_is_launched_once(void **state)
{
    const td_protocol protocol = {.samples = 1, .max_time_s = 10, .sampling = TD_SAMPLING_ONCE};
    td_result results[MOST_RUNS];
    (void)state;
    launched = 0;
    launch_ms = 0.01;
    const size_t count = run_group("bb", protocol, results);
    const uint32_t batch = results[0].batch, warmup = results[0].warmup;
    const bool graph = results[0].graph;
    release(results, count);
    assert_int_equal(launched, 1);
    assert_int_equal(batch, 1);
    assert_int_equal(warmup, 0);
    assert_false(graph);
}

static double noisy(uint32_t launches)
{
    return launches / 3 % 2 == 0 ? 1.0 : 1.05;
}

/* Gets faster for 60 launches, then stays constant. */
static double getting_faster(uint32_t launches)
{
    return launches < 60 ? 3.0 - launches / 30.0 : 1.0;
}

static double getting_slower(uint32_t launches)
{
    return launches < 60 ? 1.0 + launches / 30.0 : 3.0;
}

/* Gets faster in steps larger than the added noise of 0.5 %. */
static double getting_faster_quietly(uint32_t launches)
{
    return getting_faster(launches) * (launches / 3 % 2 == 0 ? 1.0 : 1.005);
}

/* The warm-up waits for a trend to end, but not for noise, which never does. */
static void warming_up_waits_for_a_trend_and_not_for_noise(void **state)
{
    static const struct {
        double (*course)(uint32_t launches);
        uint32_t least, most;
    } cases[] = {{noisy, 9, 12},
                 {getting_faster, 60, 75},
                 {getting_slower, 60, 75},
                 {getting_faster_quietly, 60, 75}};
    const td_protocol protocol = {.samples = 3, .warmup = 3, .max_time_s = 10};
    (void)state;
    launch_ms = 10.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_in_range(launches_on(protocol, cases[i].course), cases[i].least, cases[i].most);
    }
}

static double cold_once(uint32_t launches)
{
    return launches == 0 ? 2.0 : 1.0;
}

/* At most a tenth of 51 samples, unless there is a trend. */
static void a_processor_is_warm_after_few_launches(void **state)
{
    static const struct {
        double launch_ms;
        double (*course)(uint32_t launches);
        uint32_t least, most;
    } cases[] = {
        {10.0, NULL, 3, 3},   {10.0, cold_once, 4, 4},        {0.6, NULL, 3, 3},
        {10.0, noisy, 3, 6},  {10.0, getting_faster, 60, 65}, {10.0, getting_slower, 60, 65},
        {0.01, NULL, 0, 200}, {0.01, noisy, 0, 300}};
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10};
    (void)state;
    graphs = false;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        launch_ms = cases[i].launch_ms;
        assert_in_range(launches_on(protocol, cases[i].course), cases[i].least, cases[i].most);
    }
    graphs = true;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warming_up_takes_at_least_as_many_launches_as_asked_for),
        cmocka_unit_test(warming_up_ends_in_time),
        cmocka_unit_test(warming_up_waits_for_a_trend_and_not_for_noise),
        cmocka_unit_test(the_first_run_of_a_group_wakes_the_device),
        cmocka_unit_test(a_profiled_run_is_launched_once),
        cmocka_unit_test(a_processor_is_warm_after_few_launches),
    };
    return cmocka_run_group_tests_name("warm_up", tests, NULL, NULL);
}
