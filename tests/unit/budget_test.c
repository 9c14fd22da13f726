/* budget_test.c - batches, time budgets and clocks of a run, on an engine with simulated time. */
#include "test.h"

#include "made_up_engine.h"

static void brief_launches_of_a_processor_are_sampled_for_a_millisecond(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    graphs = false;
    launch_ms = 0.01;
    release(results, run_group("bb", protocol, results));
    graphs = true;
    assert_int_equal(results[0].batch, 100);
}

/* The first of a round's three batches is quick. */
static double the_first_is_quick(uint32_t launches)
{
    return launches % 3 == 2 ? 0.25 : 1.0;
}

/* Launches that load code take 1.5 times as long. A batch sized by them alone would last 2/3 ms. */
static double cold_at_first(uint32_t launches)
{
    return launches < 2 ? 1.5 : 1.0;
}

static void a_batch_is_as_long_as_warm_launches_make_it(void **state)
{
    static const struct {
        double launch_ms;
        double (*course)(uint32_t launches);
        uint32_t batch;
    } cases[] = {{0.5, the_first_is_quick, 2}, {0.1, cold_at_first, 10}};
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        launch_ms = cases[i].launch_ms;
        launched = 0;
        course = cases[i].course;
        release(results, run_group("bb", protocol, results));
        course = NULL;
        assert_int_equal(results[0].batch, cases[i].batch);
    }
}

/* Whole batches spend the budget. */
static void a_time_budget_is_spent_by_batches(void **state)
{
    static const struct {
        double launch_ms, max_time_s;
        uint32_t least, most;
    } cases[] = {{0.01, 0.02, 20, 21}, {10.0, 0.1, 10, 12}};
    td_result results[MOST_RUNS];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_protocol protocol = {
            .samples = 200, .warmup = 1, .max_time_s = cases[i].max_time_s};
        launch_ms = cases[i].launch_ms;
        const size_t count = run_group("bb", protocol, results);
        const uint32_t samples = results[0].sample_count;
        release(results, count);
        assert_in_range(samples, cases[i].least, cases[i].most);
    }
}

/* The made-up engine's clocks rise with every read. */
static void clocks_are_read_before_the_samples_and_after_them(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 1.0;
    release(results, run_group("bb", protocol, results));
    assert_true(results[0].before.sm_mhz > 0.0);
    assert_true(results[0].after.sm_mhz > results[0].before.sm_mhz);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brief_launches_of_a_processor_are_sampled_for_a_millisecond),
        cmocka_unit_test(a_batch_is_as_long_as_warm_launches_make_it),
        cmocka_unit_test(a_time_budget_is_spent_by_batches),
        cmocka_unit_test(clocks_are_read_before_the_samples_and_after_them),
    };
    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
