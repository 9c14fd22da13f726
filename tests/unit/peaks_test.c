/* peaks_test.c - the bandwidth of memory is measured where a run depends on it. */
#include "test.h"

#include <stdio.h>

#include "engine/bench/peaks.h"
#include "engine/core/error.h"

static bool breaks;

static td_status bandwidth(td_engine *engine, td_environment *environment, td_error *error)
{
    (void)engine;
    environment->peaks.fill_gb_per_s = 101.0;
    return breaks ? td_fail(error, TD_FAILED, "it fell off the bus") : TD_OK;
}

static td_engine_ops ops = {.name = "made-up", .peak_bandwidth = bandwidth};

/* Runs of a copy: 8 bytes per cell of a triangle. */
static td_status measure(uint32_t n, const char *skip, td_environment *e, td_error *error)
{
    td_engine engine = {.ops = &ops};
    td_run run = {.workload = td_workload_find("accumulate", 2), .problem.n = n};
    snprintf(run.skip, sizeof run.skip, "%s", skip);
    const td_sweep sweep = {.runs = &run, .run_count = 1};
    return td_peaks_measure(&engine, &sweep, e, error);
}

static void bandwidth_is_measured_for_what_no_cache_holds(void **state)
{
    static const struct {
        uint32_t n;
        const char *skip;
        bool device;
        double expected;
    } cases[] = {{100, "", false, 0.0},
                 {1000, "", false, 101.0},
                 {1000, "it cannot work", false, 0.0},
                 {1000, "", true, 0.0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        td_environment e = {.cpu_cache_bytes = 1000000, .l2_bytes = 10000000};
        td_error error;
        ops.can.device_memory = cases[i].device;
        assert_int_equal(measure(cases[i].n, cases[i].skip, &e, &error), TD_OK);
        assert_true(e.peaks.fill_gb_per_s == cases[i].expected);
    }
    ops.can.device_memory = false;
}

static void an_engine_that_fails_says_so(void **state)
{
    td_environment e = {0};
    td_error error = {""};
    (void)state;
    breaks = true;
    assert_int_equal(measure(1000, "", &e, &error), TD_FAILED);
    assert_string_equal(error.text, "it fell off the bus");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bandwidth_is_measured_for_what_no_cache_holds),
        cmocka_unit_test(an_engine_that_fails_says_so),
    };
    return cmocka_run_group_tests_name("peaks", tests, NULL, NULL);
}
