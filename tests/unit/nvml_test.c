/* nvml_test.c - telemetry and the energy counter, read from a fake of NVIDIA's library. */
#include "test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/core/error.h"
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

TEST(device_is_found_by_its_pci_id)
{
    td_nvml *nvml = td_nvml_open("0000:c1:00.0");
    assert_non_null(nvml);
    assert_string_equal(fake->pci_id, "0000:c1:00.0");
    td_nvml_close(nvml);
    assert_int_equal(fake->opened, fake->closed);
    fake->devices = 0;
    assert_null(td_nvml_open("0000:c1:00.0"));
}

TEST(telemetry_is_what_there_is)
{
    td_telemetry telemetry;
    char driver[32];
    td_nvml *nvml = td_nvml_open("0000:c1:00.0");
    td_nvml_telemetry(nvml, &telemetry);
    td_nvml_driver(nvml, driver, sizeof driver);
    td_nvml_close(nvml);
    assert_true(telemetry.power_w == 134.5);
    assert_true(telemetry.sm_mhz == 1980.0 && telemetry.memory_mhz == 3201.0);
    assert_true(telemetry.temperature_c < 0.0); /* not permitted */
    assert_string_equal(driver, "999.1");
}

/* A power cap (4) counts as throttling, the user's own clocks (2) do not. Processes exclude this one. */
TEST(a_throttled_or_shared_device_is_known)
{
    static const struct {
        unsigned long long reasons;
        unsigned processes;
        int throttled;
        double others;
    } cases[] = {{0, 1, 0, 0}, {4, 1, 1, 0}, {2, 3, 0, 2}, {0, 0, 0, -1}};
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

TEST(counter_is_joules_or_the_reason_why_not)
{
    double joules = -1.0;
    td_error error = {""};
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

int main(void)
{
    td_tests_surround(reset, NULL);
    return td_tests_run(load_fake, NULL);
}
