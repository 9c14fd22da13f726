/* worker_test.c - crashes, hangs and broken devices cost one run. */
#include "faulty_engine.h"

static void assert_only_ltm_failed(fixture *f, const char *reason)
{
    assert_int_equal(f->status, TD_OK);
    assert_int_equal(result_of(f, "bb")->status, TD_RUN_OK);
    assert_int_equal(result_of(f, "bb")->sample_count, 6);
    assert_int_equal(result_of(f, "rec")->status, TD_RUN_OK);
    assert_int_equal(result_of(f, "rec")->sample_count, 6);
    assert_int_equal(result_of(f, "ltm-r")->status, TD_RUN_FAILED);
    assert_int_equal(result_of(f, "ltm-r")->error, TD_FAILED);
    if (strstr(result_of(f, "ltm-r")->reason, reason) == NULL) {
        fail_msg("'%s' does not say '%s'", result_of(f, "ltm-r")->reason, reason);
    }
}

static void healthy_engine_is_opened_once(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = NOWHERE}, 0.0);
    run(&f);
    const td_timing timing = f.drive->heartbeat.timing;
    const int opened = shared->opened;
    const uint32_t samples = result_of(&f, "ltm-r")->sample_count;
    end(&f);
    assert_int_equal(f.status, TD_OK);
    assert_int_equal(samples, 6);
    assert_int_equal(opened, 1);
    assert_int_equal(shared->reports, 1);
    assert_true(timing.verify_s > 0.0 && timing.warm_up_s > 0.0 && timing.sample_s > 0.0);
}

static void crash_costs_one_run_in_any_phase(void **state)
{
    (void)state;
    const struct {
        place where;
        const char *phase;
    } cases[] = {{AT_LAUNCH, "(verify)"}, {AT_PREPARE, "(warm up)"}, {AT_SAMPLE, "(warm up)"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        make(&f, (fault){.where = cases[i].where, .what = CRASH, .strategy = "ltm-r"}, 0.0);
        run(&f);
        assert_only_ltm_failed(&f, "was killed by signal 9");
        assert_only_ltm_failed(&f, cases[i].phase);
        assert_int_equal(shared->opened, 2);
        end(&f);
    }
}

static void early_exit_of_the_worker_costs_one_run(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = LEAVE, .strategy = "ltm-r"}, 0.0);
    run(&f);
    assert_only_ltm_failed(&f, "ended with status 7");
    end(&f);
}

static void hang_is_given_up_after_the_timeout(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = HANG, .strategy = "ltm-r"}, 2.0);
    run(&f);
    const double waited_s = td_now_s() - shared->hang_start_s;
    assert_only_ltm_failed(&f, "did not finish within --timeout 2 s (verify)");
    assert_true(waited_s >= 1.9);
    end(&f);
}

static void broken_device_costs_the_run_that_broke_it(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = BREAK, .strategy = "ltm-r"}, 0.0);
    run(&f);
    assert_only_ltm_failed(&f, "an illegal address was read");
    assert_int_equal(shared->opened, 2);
    end(&f);
}

static void assert_bb_failed_and_others(fixture *f, td_run_status status)
{
    assert_int_equal(f->status, TD_OK);
    assert_int_equal(result_of(f, "bb")->status, TD_RUN_FAILED);
    assert_int_equal(result_of(f, "ltm-r")->status, status);
    assert_int_equal(result_of(f, "rec")->status, status);
}

static void device_that_breaks_before_any_run_costs_the_first(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_ALLOCATE, .what = BREAK}, 0.0);
    run(&f);
    assert_string_equal(result_of(&f, "bb")->reason, "an illegal address was read");
    assert_bb_failed_and_others(&f, TD_RUN_OK);
    assert_int_equal(shared->opened, 2);
    end(&f);
}

static void memory_that_is_not_there_costs_the_group(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_ALLOCATE, .what = FAIL}, 0.0);
    run(&f);
    assert_bb_failed_and_others(&f, TD_RUN_FAILED);
    assert_int_equal(shared->opened, 1);
    end(&f);
}

static void error_that_heals_needs_no_new_worker(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = FAIL, .strategy = "ltm-r"}, 0.0);
    run(&f);
    assert_only_ltm_failed(&f, "an illegal address was read");
    assert_int_equal(shared->opened, 1);
    end(&f);
}

static void every_run_may_crash_and_none_is_tried_twice(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = CRASH, .left = 100}, 0.0);
    run(&f);
    for (size_t r = 0; r < f.drive->sweep.run_count; r++) {
        assert_int_equal(shared->results[r].status, TD_RUN_FAILED);
    }
    assert_int_equal(shared->opened, 3);
    assert_int_equal(shared->reports, 1);
    end(&f);
}

/* A crash outside all phases must still be blamed on an open run, or the sweep would never end. */
static void crash_while_cleaning_up_ends(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_RELEASE, .what = CRASH, .left = 100}, 0.0);
    f.drive->results[0].status = TD_RUN_SKIPPED;
    run(&f);
    assert_int_equal(f.status, TD_OK);
    assert_int_equal(shared->results[0].status, TD_RUN_SKIPPED);
    assert_int_equal(shared->results[1].status, TD_RUN_FAILED);
    assert_int_equal(shared->results[2].status, TD_RUN_FAILED);
    end(&f);
}

static void device_that_is_gone_fails_what_is_left(void **state)
{
    (void)state;
    fixture f;
    make(&f, (fault){.where = AT_LAUNCH, .what = CRASH, .strategy = "bb", .openings = 1}, 0.0);
    run(&f);
    assert_int_equal(f.status, TD_UNAVAILABLE);
    assert_non_null(strstr(f.error.text, "fallen off the bus"));
    assert_non_null(strstr(result_of(&f, "bb")->reason, "killed by signal 9"));
    assert_int_equal(result_of(&f, "rec")->status, TD_RUN_FAILED);
    assert_non_null(strstr(result_of(&f, "rec")->reason, "fallen off the bus"));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(healthy_engine_is_opened_once),
        cmocka_unit_test(crash_costs_one_run_in_any_phase),
        cmocka_unit_test(early_exit_of_the_worker_costs_one_run),
        cmocka_unit_test(hang_is_given_up_after_the_timeout),
        cmocka_unit_test(broken_device_costs_the_run_that_broke_it),
        cmocka_unit_test(device_that_breaks_before_any_run_costs_the_first),
        cmocka_unit_test(memory_that_is_not_there_costs_the_group),
        cmocka_unit_test(error_that_heals_needs_no_new_worker),
        cmocka_unit_test(every_run_may_crash_and_none_is_tried_twice),
        cmocka_unit_test(crash_while_cleaning_up_ends),
        cmocka_unit_test(device_that_is_gone_fails_what_is_left),
    };
    return share_the_fault() ? cmocka_run_group_tests_name("worker", tests, NULL, NULL) : 1;
}
