/* peaks_test.c - peaks are measured once per device, cached if undisturbed, and dated. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/bench/peaks.h"
#include "engine/core/clock.h"
#include "engine/core/error.h"

static char folder[] = "/tmp/tribench_peaks_XXXXXX";
static int measured;
static bool breaks, is_short_of_memory;

static int empty_folder(void **state)
{
    char command[64];
    (void)state;
    measured = 0;
    breaks = is_short_of_memory = false;
    snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
    return system(command); /* NOLINT(cert-env33-c): a name of our own */
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? setenv("XDG_CACHE_HOME", folder, 1) : -1;
}

static int remove_folder(void **state)
{
    return empty_folder(state) + remove(folder);
}

static td_status bandwidth(td_engine *engine, td_environment *environment, td_error *error)
{
    (void)engine;
    environment->peaks.fill_gb_per_s = 100.0 + ++measured;
    environment->peaks.fill_bytes = 3221225472.0;
    environment->peaks.copy_gb_per_s = is_short_of_memory ? 0.0 : 1.0 / 3.0;
    return breaks ? td_fail(error, TD_FAILED, "it fell off the bus") : TD_OK;
}

static td_engine_ops ops = {.name = "made-up", .peak_bandwidth = bandwidth};

static td_status look(bool anew, td_environment *e, td_error *error)
{
    td_engine engine = {.ops = &ops};
    return td_peaks_measure(&engine, anew, e, error);
}

static td_environment quiet(uint32_t threads)
{
    return (td_environment){.cpu_cores = 8, .cpu_threads = threads};
}

static void peaks_are_measured_once_for_each_device(void **state)
{
    td_environment first = quiet(4), second = quiet(4), other = quiet(5);
    td_error error;
    (void)state;
    assert_int_equal(look(false, &first, &error), TD_OK);
    assert_int_equal(look(false, &second, &error), TD_OK);
    assert_int_equal(measured, 1);
    assert_true(td_unix_s() - first.peaks.unix_s < 1000.0);
    assert_true(first.peaks.unix_s == second.peaks.unix_s);
    assert_true(second.peaks.fill_gb_per_s == 101.0 && second.peaks.copy_gb_per_s == 1.0 / 3.0);
    assert_true(second.peaks.fill_bytes == 3221225472.0);
    assert_int_equal(look(false, &other, &error), TD_OK);
    assert_true(other.peaks.fill_gb_per_s == 102.0);
}

static void peaks_are_measured_anew_where_that_is_asked(void **state)
{
    td_environment kept = quiet(4), anew = quiet(4), again = quiet(4);
    td_error error;
    (void)state;
    assert_int_equal(look(false, &kept, &error), TD_OK);
    assert_int_equal(look(true, &anew, &error), TD_OK);
    assert_int_equal(look(false, &again, &error), TD_OK);
    assert_true(anew.peaks.fill_gb_per_s == 102.0 && again.peaks.fill_gb_per_s == 101.0);
}

static void peaks_of_a_busy_host_are_not_kept(void **state)
{
    td_environment busy = quiet(8), after = quiet(8), later = quiet(8);
    td_error error;
    (void)state;
    busy.load = busy.running = later.load = later.running = 3;
    assert_int_equal(look(false, &busy, &error), TD_OK);
    assert_int_equal(look(false, &after, &error), TD_OK);
    assert_int_equal(look(false, &later, &error), TD_OK);
    assert_true(busy.peaks.fill_gb_per_s == 101.0 && after.peaks.fill_gb_per_s == 102.0);
    assert_true(later.peaks.fill_gb_per_s == 102.0); /* the cached peak stays valid */
    ops.can.device_memory = true;                    /* which the host does not disturb */
    busy.cpu_threads = later.cpu_threads = 0;
    busy.load = busy.running = later.load = later.running = 30;
    assert_int_equal(look(false, &busy, &error), TD_OK);
    assert_int_equal(look(false, &later, &error), TD_OK);
    ops.can.device_memory = false;
    assert_true(later.peaks.fill_gb_per_s == 103.0);
}

static void what_cannot_be_kept_is_measured(void **state)
{
    td_environment e = quiet(4), f = quiet(4);
    char command[96];
    td_error error;
    (void)state;
    assert_int_equal(look(false, &e, &error), TD_OK);
    snprintf(command, sizeof command, "find %s -name '*.peaks' -exec truncate -s 3 {} +", folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): a name of our own */
    assert_int_equal(look(false, &f, &error), TD_OK);
    assert_true(f.peaks.fill_gb_per_s == 102.0 && f.peaks.copy_gb_per_s == 1.0 / 3.0);
}

static void peaks_with_gaps_are_not_kept(void **state)
{
    td_environment first = quiet(4), second = quiet(4);
    td_error error;
    (void)state;
    is_short_of_memory = true;
    assert_int_equal(look(false, &first, &error), TD_OK);
    assert_true(first.peaks.fill_gb_per_s == 101.0 && first.peaks.copy_gb_per_s == 0.0);
    is_short_of_memory = false;
    assert_int_equal(look(false, &second, &error), TD_OK);
    assert_true(second.peaks.fill_gb_per_s == 102.0 && second.peaks.copy_gb_per_s == 1.0 / 3.0);
}

static void an_engine_that_fails_says_so(void **state)
{
    td_environment e = quiet(4);
    td_error error = {""};
    (void)state;
    breaks = true;
    assert_int_equal(look(false, &e, &error), TD_FAILED);
    assert_string_equal(error.text, "it fell off the bus");
    assert_int_equal(look(true, &e, &error), TD_FAILED);
    assert_int_equal(measured, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(peaks_are_measured_once_for_each_device, empty_folder),
        cmocka_unit_test_setup(peaks_are_measured_anew_where_that_is_asked, empty_folder),
        cmocka_unit_test_setup(peaks_of_a_busy_host_are_not_kept, empty_folder),
        cmocka_unit_test_setup(peaks_with_gaps_are_not_kept, empty_folder),
        cmocka_unit_test_setup(what_cannot_be_kept_is_measured, empty_folder),
        cmocka_unit_test_setup(an_engine_that_fails_says_so, empty_folder),
    };
    return cmocka_run_group_tests_name("peaks", tests, make_folder, remove_folder);
}
