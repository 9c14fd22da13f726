/* energy_test.c - joules per launch, on an engine with a simulated counter. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/bench/energy.h"
#include "made_up_engine.h"

static void energy_is_a_launchs_and_known_of_a_run_by_itself_only(void **state)
{
    const td_protocol protocol = {.samples = 50, .warmup = 1, .max_time_s = 10};
    const td_protocol long_one = {.samples = 300, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 10.0;
    release(results, run_group("bb", protocol, results));
    assert_true(results[0].energy_j == 0.5);
    launch_ms = 0.1; /* in batches of ten */
    release(results, run_group("bb", long_one, results));
    assert_true(fabs(results[0].energy_j - 0.5) < 1e-9);
    launch_ms = 10.0;
    release(results, run_group("bb,ltm", protocol, results));
    assert_true(results[0].energy_j < 0.0 && results[1].energy_j < 0.0);
    launch_ms = 1.0; /* 50 ms in all: too few counter ticks */
    release(results, run_group("bb", protocol, results));
    assert_true(results[0].energy_j < 0.0);
}

/* Half a joule per launch: launches of 10 ms, and launches of 0.01 ms, which run in batches. */
static void energy_is_counted_over_two_seconds_of_launches(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 1, .energy = true};
    static const double times_ms[] = {10.0, 0.01, 900.0};
    td_result results[MOST_RUNS];
    (void)state;
    for (size_t i = 0; i < sizeof times_ms / sizeof times_ms[0]; i++) {
        launch_ms = times_ms[i];
        release(results, run_group("bb,ltm", protocol, results));
        for (int r = 0; r < 2; r++) {
            const td_energy *e = &results[r].energy;
            assert_int_equal(e->windows, TD_ENERGY_WINDOWS);
            assert_true(e->seconds >= 2.0 && e->seconds < 6.0);
            assert_true(fabs((double)e->launches * launch_ms / 1e3 - e->seconds) < 1e-6);
            for (uint32_t w = 0; w < e->windows; w++) {
                assert_true(fabs(e->launch_j[w] - 0.5) < 1e-9);
            }
            assert_true(fabs(e->joules - 0.5 * (double)e->launches) < 1e-3);
        }
    }
}

/* The counter is updated ten times per second; windows go from one update to another. */
static void energy_windows_end_where_the_counter_is_renewed(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 1, .energy = true};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 1.0;
    renewed_every_j = 50.0; /* a hundred launches */
    release(results, run_group("bb", protocol, results));
    renewed_every_j = 0.0;
    assert_int_equal(results[0].energy.windows, TD_ENERGY_WINDOWS);
    for (int w = 0; w < TD_ENERGY_WINDOWS; w++) {
        assert_true(fabs(results[0].energy.launch_j[w] - 0.5) < 0.5 * 0.025);
    }
}

static void a_counter_that_cannot_be_read_is_a_reason_and_no_failure(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 1, .energy = true};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 1.0;
    no_counter = "not for you";
    release(results, run_group("bb", protocol, results));
    no_counter = NULL;
    assert_int_equal(results[0].status, TD_RUN_OK);
    assert_true(results[0].energy.asked);
    assert_int_equal(results[0].energy.windows, 0);
    assert_string_equal(results[0].energy.reason, "not for you");
    renewed_every_j = 1e9;
    release(results, run_group("bb", protocol, results));
    renewed_every_j = 0.0;
    assert_int_equal(results[0].energy.windows, 0);
    assert_non_null(strstr(results[0].energy.reason, "does not change"));
    release(results, run_group("bb", (td_protocol){.samples = 3, .max_time_s = 1}, results));
    assert_false(results[0].energy.asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_a_launchs_and_known_of_a_run_by_itself_only),
        cmocka_unit_test(energy_is_counted_over_two_seconds_of_launches),
        cmocka_unit_test(energy_windows_end_where_the_counter_is_renewed),
        cmocka_unit_test(a_counter_that_cannot_be_read_is_a_reason_and_no_failure),
    };
    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
