/* energy_test.c - joules per launch, on an engine with a simulated counter. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/bench/energy.h"
#include "engine/core/clock.h"
#include "known_times.h"

static const td_protocol with_energy = {.samples = 3, .warmup = 1, .max_time_s = 1, .energy = true};

/* Half a joule per launch: launches of 10 ms, and launches of 0.01 ms, which run in batches. */
TEST(energy_is_counted_over_two_seconds_of_launches)
{
    static const double times_ms[] = {10.0, 0.01, 900.0};
    td_result results[MOST_RUNS];
    for (size_t i = 0; i < COUNT(times_ms); i++) {
        run_group((script){.launch_ms = times_ms[i]}, "bb,ltm", with_energy, results);
        for (int r = 0; r < 2; r++) {
            const td_energy *e = &results[r].energy;
            assert_int_equal(e->windows, TD_ENERGY_WINDOWS);
            assert_true(e->seconds >= 2.0 && e->seconds < 6.0);
            assert_true(fabs((double)e->launches * times_ms[i] / 1e3 - e->seconds) < 1e-6);
            for (uint32_t w = 0; w < e->windows; w++) {
                assert_true(fabs(e->launch_j[w] - 0.5) < 1e-9);
            }
            assert_true(fabs(e->joules - 0.5 * (double)e->launches) < 1e-3);
        }
    }
}

/* The counter is updated ten times per second; windows go from one update to another. */
TEST(energy_windows_end_where_the_counter_is_renewed)
{
    const td_result r = run_one((script){.launch_ms = 1.0, .renewed_every_j = 50.0},
                                with_energy); /* 100 launches */
    assert_int_equal(r.energy.windows, TD_ENERGY_WINDOWS);
    for (int w = 0; w < TD_ENERGY_WINDOWS; w++) {
        assert_true(fabs(r.energy.launch_j[w] - 0.5) < 0.5 * 0.025);
    }
}

TEST(a_counter_that_cannot_be_read_is_a_reason_and_no_failure)
{
    const td_result forbidden =
        run_one((script){.launch_ms = 1.0, .no_counter = "not for you"}, with_energy);
    const td_result stuck =
        run_one((script){.launch_ms = 1.0, .renewed_every_j = 1e9}, with_energy);
    assert_int_equal(forbidden.status, TD_RUN_OK);
    assert_true(forbidden.energy.asked);
    assert_int_equal(forbidden.energy.windows, 0);
    assert_string_equal(forbidden.energy.reason, "not for you");
    assert_int_equal(stuck.energy.windows, 0);
    assert_non_null(strstr(stuck.energy.reason, "does not change"));
    const td_protocol without = {.samples = 3, .max_time_s = 1};
    assert_false(run_one((script){.launch_ms = 1.0}, without).energy.asked);
}

/* One watt, however often it is read. */
static td_status read_resting(td_engine *engine, double *counter, td_error *error)
{
    (void)engine, (void)error;
    *counter = td_now_s();
    return TD_OK;
}

TEST(power_at_rest_is_known_where_the_counter_is)
{
    td_engine_ops ops = {.name = "made up", .energy_j = read_resting};
    td_engine engine = {.ops = &ops};
    td_environment environment;
    for (int known = 0; known < 2; known++) {
        ops.can.energy = known == 1;
        td_energy_idle(&engine, 0.02, &environment);
        assert_true(fabs(environment.idle_power_w - known) < 0.1);
    }
}
