/* nvml_test.c - telemetry and the energy counter, read from a fake of NVIDIA's library. */
#include "test.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/bench/energy.h"
#include "engine/core/error.h"
#include "engine/cpu/row.h"
#include "engine/cuda/nvml.h"
#include "tests/fake/nvml.h"

static fake_nvml_state *fake;

/* Loads the fake by its path. Later requests for libnvidia-ml.so.1 then find it by its soname. */
static int load_fake(void **state)
{
    char path[4096];
    (void)state;
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0) {
        return -1;
    }
    path[length] = '\0';
    char *end = strstr(path, "/tests/unit/");
    if (end == NULL) {
        return -1;
    }
    snprintf(end, sizeof path - (size_t)(end - path), "/tests/fake/libnvidia-ml.so.1");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        print_message("%s\n", dlerror());
        return -1;
    }
    fake = dlsym(library, "fake_nvml");
    return fake != NULL ? 0 : -1;
}

static int reset(void **state)
{
    const fake_nvml_state fresh = {.devices = 1};
    (void)state;
    *fake = fresh;
    return 0;
}

static void device_is_found_by_its_pci_id(void **state)
{
    (void)state;
    td_nvml *nvml = td_nvml_open("0000:c1:00.0");
    assert_non_null(nvml);
    assert_string_equal(fake->pci_id, "0000:c1:00.0");
    td_nvml_close(nvml);
    assert_int_equal(fake->opened, fake->closed);
    fake->devices = 0;
    assert_null(td_nvml_open("0000:c1:00.0"));
}

static void telemetry_is_what_there_is(void **state)
{
    td_telemetry telemetry;
    char driver[32];
    (void)state;
    td_nvml *nvml = td_nvml_open("0000:c1:00.0");
    td_nvml_telemetry(nvml, &telemetry);
    td_nvml_driver(nvml, driver, sizeof driver);
    td_nvml_close(nvml);
    assert_true(telemetry.power_w == 134.5);
    assert_true(telemetry.sm_mhz < 0.0); /* the fake has no such function */
    assert_string_equal(driver, "999.1");
}

/* A power cap (4) counts as throttling, the user's own clocks (2) do not. Processes exclude this one. */
static void a_throttled_or_shared_device_is_known(void **state)
{
    static const struct {
        unsigned long long reasons;
        unsigned processes;
        int throttled;
        double others;
    } cases[] = {{0, 1, 0, 0}, {4, 1, 1, 0}, {2, 3, 0, 2}, {0, 0, 0, -1}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        td_telemetry telemetry;
        td_nvml *nvml = td_nvml_open("0000:c1:00.0");
        fake->reasons = cases[i].reasons;
        fake->processes = cases[i].processes;
        td_nvml_telemetry(nvml, &telemetry);
        td_nvml_close(nvml);
        assert_int_equal(telemetry.throttled, cases[i].throttled);
        assert_true(telemetry.others == cases[i].others);
    }
    td_telemetry unknown;
    td_nvml_telemetry(NULL, &unknown);
    assert_true(unknown.throttled < 0 && unknown.others < 0.0);
}

static void counter_is_joules_or_the_reason_why_not(void **state)
{
    double joules = -1.0;
    td_error error = {""};
    (void)state;
    td_nvml *nvml = td_nvml_open("0000:c1:00.0");
    fake->millijoules = 12345678;
    const td_status read = td_nvml_energy_j(nvml, &joules, &error);
    fake->energy_status = 4;
    const td_status forbidden = td_nvml_energy_j(nvml, &joules, &error);
    td_nvml_close(nvml);
    assert_int_equal(read, TD_OK);
    assert_true(joules == 12345.678);
    assert_int_equal(forbidden, TD_FAILED);
    assert_non_null(strstr(error.text, "Insufficient Permissions"));
    assert_int_equal(td_nvml_energy_j(NULL, &joules, &error), TD_FAILED);
    assert_non_null(strstr(error.text, "NVML"));
}

/* ---- an engine that launches nothing, but uses energy ---- */

static td_nvml *counter;

static td_status prepare_nothing(td_engine *engine, const td_execution *execution, uint32_t batch,
                                 bool graph, td_prepared **prepared, td_error *error)
{
    uint32_t *launches = malloc(sizeof *launches);
    (void)engine, (void)execution, (void)graph, (void)error;
    assert_non_null(launches);
    *launches = batch;
    *prepared = (td_prepared *)launches;
    return TD_OK;
}

/* A launch takes 2 ms and 700 mJ. */
static td_status sample_nothing(td_engine *engine, td_prepared *prepared, double *batch_ms,
                                td_error *error)
{
    const uint32_t launches = *(const uint32_t *)prepared;
    (void)engine, (void)error;
    fake->millijoules += 700 * launches;
    *batch_ms = 2.0 * launches;
    return TD_OK;
}

static void discard_nothing(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    free(prepared);
}

static td_status read_fake(td_engine *engine, double *joules, td_error *error)
{
    (void)engine;
    return td_nvml_energy_j(counter, joules, error);
}

/* Idle: one watt, however often it is read. */
static td_status read_resting(td_engine *engine, double *joules, td_error *error)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    fake->millijoules =
        (unsigned long long)now.tv_sec * 1000 + (unsigned long long)now.tv_nsec / 1000000;
    return read_fake(engine, joules, error);
}

static td_engine_ops made_up_ops(void)
{
    td_engine_ops ops = td_cpu_ops;
    ops.prepare = prepare_nothing;
    ops.sample = sample_nothing;
    ops.discard = discard_nothing;
    ops.energy_j = read_fake;
    ops.can.energy = true;
    return ops;
}

static td_energy measure(void)
{
    const td_engine_ops ops = made_up_ops();
    td_engine engine = {.ops = &ops};
    const td_plan plan = {.count = 1};
    const td_strategy strategy = {.name = "bb"};
    const td_execution execution = {.strategy = &strategy, .plan = &plan, .steps = 1};
    double ms[] = {2.0};
    td_result result = {.sample_ms = ms, .sample_count = 1};
    td_error error = {""};
    counter = td_nvml_open("0000:c1:00.0");
    const td_status status = td_energy_measure(&engine, &execution, &result, &error);
    td_nvml_close(counter);
    assert_int_equal(status, TD_OK);
    return result.energy;
}

static void energy_of_a_launch_is_what_the_counter_says(void **state)
{
    (void)state;
    const td_energy energy = measure();
    assert_int_equal(energy.windows, TD_ENERGY_WINDOWS);
    for (int w = 0; w < TD_ENERGY_WINDOWS; w++) {
        assert_true(fabs(energy.launch_j[w] - 0.7) < 1e-9);
    }
    assert_true(fabs(energy.joules / energy.seconds - 350.0) < 1e-6); /* 700 mJ in 2 ms */
}

static void energy_that_is_not_permitted_has_the_librarys_reason(void **state)
{
    (void)state;
    fake->energy_status = 4;
    const td_energy energy = measure();
    assert_int_equal(energy.windows, 0);
    assert_non_null(strstr(energy.reason, "Insufficient Permissions"));
}

static void power_at_rest_is_known_where_the_counter_is(void **state)
{
    td_engine_ops ops = made_up_ops();
    td_engine engine = {.ops = &ops};
    td_environment environment = {.idle_power_w = -1.0};
    (void)state;
    ops.energy_j = read_resting;
    counter = td_nvml_open("0000:c1:00.0");
    td_energy_idle(&engine, 0.2, &environment);
    const double watts = environment.idle_power_w;
    fake->energy_status = 3;
    td_energy_idle(&engine, 0.2, &environment);
    td_nvml_close(counter);
    assert_true(watts > 0.9 && watts < 1.1);
    assert_true(environment.idle_power_w == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(device_is_found_by_its_pci_id, reset),
        cmocka_unit_test_setup(telemetry_is_what_there_is, reset),
        cmocka_unit_test_setup(a_throttled_or_shared_device_is_known, reset),
        cmocka_unit_test_setup(counter_is_joules_or_the_reason_why_not, reset),
        cmocka_unit_test_setup(energy_of_a_launch_is_what_the_counter_says, reset),
        cmocka_unit_test_setup(energy_that_is_not_permitted_has_the_librarys_reason, reset),
        cmocka_unit_test_setup(power_at_rest_is_known_where_the_counter_is, reset),
    };
    return cmocka_run_group_tests_name("nvml", tests, load_fake, NULL);
}
