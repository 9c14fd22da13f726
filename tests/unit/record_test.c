/* record_test.c - what is recorded of a run where there is nothing to record, and its caveats; shown_test.c has all. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record_run.h"

/* ---- nulls ---- */

static void energy_could_not_be_counted(sample_group *g)
{
    g->results[0].energy = (td_energy){.asked = true, .reason = "not permitted"};
}

static void baseline_failed(sample_group *g)
{
    g->results[1].status = TD_RUN_FAILED;
}

static void baseline_has_too_few_rounds(sample_group *g)
{
    g->results[1].sample_count = 5;
}

static void verification_met_a_nan(sample_group *g)
{
    g->results[0].verified = TD_VERIFIED_FAIL;
    g->results[0].status = TD_RUN_FAILED;
    g->results[0].max_abs_error = NAN;
    g->workload.finding = (td_finding){"energy", TD_FINDS_REAL};
    g->results[0].has_finding = true;
    g->results[0].finding.real = INFINITY;
}

TEST(what_is_not_known_is_null)
{
    static const struct {
        size_t run;
        void (*change)(sample_group *g);
        const char *nulls[11];
        const char *path, *text; /* that is there */
    } cases[] = {
        {0,
         NULL,
         {"reason", "started", "cutoff", "group", "device_state.throttled", "device_state.sm_mhz",
          "device_state.other_processes", "energy_j", "energy", "caveats", "storage"},
         "status",
         "ok"},
        {0,
         energy_could_not_be_counted,
         {"energy.launch_j", "energy.ci95", "energy_j", "energy.power_w"},
         "energy.reason",
         "not permitted"},
        {0, baseline_failed, {"improvement"}, "status", "ok"},
        {0, baseline_has_too_few_rounds, {"improvement.ci95"}, "improvement.baseline", "bb"},
        {0,
         verification_met_a_nan,
         {"verified.max_abs_error", "result.energy"},
         "reason",
         "the output differs from the reference"},
        {1, NULL, {"improvement", "throughput.fraction_of_peak"}, "strategy", "bb"},
        {2,
         NULL,
         {"verified.checked", "verified.mismatches", "time_ms", "samples", "device_state",
          "per_step_ms"},
         "reason",
         "the device said \"no\", twice"},
        {2, NULL, {"verified.by"}, "started", "2026-01-02T03:04:05.250Z"},
        {3, NULL, {"launch", "throughput.bytes", "working_set_bytes"}, "reason", "dp needs a GPU"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        static sample_group g;
        sample_make(&g);
        for (uint32_t s = 0; s < SAMPLE_COUNT; s++) { /* no caveat */
            g.ms[0][s] = 1.0 + 0.0001 * s;
        }
        if (cases[i].change != NULL) {
            cases[i].change(&g);
        }
        cJSON *run = run_of(&g, cases[i].run);
        for (size_t n = 0; n < COUNT(cases[i].nulls) && cases[i].nulls[n] != NULL; n++) {
            assert_null_at(run, cases[i].nulls[n]);
        }
        assert_text(run, cases[i].path, cases[i].text);
        cJSON_Delete(run);
    }
}

TEST(caveats_are_named_one_after_the_other)
{
    static sample_group g;
    sample_make(&g);
    for (uint32_t s = 0; s < g.results[0].sample_count; s++) {
        g.ms[0][s] = 1.0;
        g.ms[1][s] = s % 2 == 0 ? 1.0 : 1.2;
    }
    cJSON *quiet = run_of(&g, 0);
    g.results[1].before.others = g.results[1].before.throttled = 1; /* it counts as well */
    g.results[1].after.others = g.results[1].after.throttled = 0;
    g.results[1].launch_bytes = 4000000000;
    g.environment.peaks.fill_gb_per_s = 1;
    g.environment.l2_bytes = g.environment.cpu_cache_bytes = 1;
    cJSON *noisy = run_of(&g, 1);
    assert_null_at(quiet, "caveats");
    assert_text(noisy, "caveats", "wide interval, two modes, throttled, shared, above its bound");
    assert_number(noisy, "device_state.other_processes", 1);
    assert_true(cJSON_IsTrue(at(noisy, "device_state.throttled")));
    cJSON_Delete(quiet);
    cJSON_Delete(noisy);
}

/* Caveats of the host apply to cpu runs only, since a device has its own clocks. */
TEST(caveats_of_the_host_are_those_of_its_own_runs)
{
    static const struct {
        double load, running;
        uint32_t threads;
        const char *governor, *caveats;
        bool crowded; /* while it was sampled */
    } cases[] = {{0.4, 9, 8, "performance", NULL, false},
                 {9, 0, 8, "", NULL, false},
                 {1.2, 1, 7, "performance", NULL, false},
                 {2, 2, 7, "", "busy host", false},
                 {0, 0, 8, "powersave", "governor", false},
                 {3, 3, 8, "ondemand", "busy host, governor", false},
                 {0, 0, 8, "", "busy host", true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        static sample_group g;
        sample_make(&g);
        td_engine_ops device = td_cpu_ops;
        device.can.device_memory = true;
        for (uint32_t s = 0; s < g.results[0].sample_count; s++) {
            g.ms[0][s] = 1.0;
        }
        g.environment.load = cases[i].load;
        g.environment.running = cases[i].running;
        g.results[0].crowded = cases[i].crowded;
        g.environment.cpu_cores = 8;
        g.environment.cpu_threads = cases[i].threads;
        snprintf(g.environment.cpu_governor, sizeof g.environment.cpu_governor, "%s",
                 cases[i].governor);
        cJSON *on_host = run_of(&g, 0);
        g.runs[0].engine = &device;
        cJSON *on_device = run_of(&g, 0);
        if (cases[i].caveats == NULL) {
            assert_null_at(on_host, "caveats");
        } else {
            assert_text(on_host, "caveats", cases[i].caveats);
        }
        assert_null_at(on_device, "caveats");
        cJSON_Delete(on_host);
        cJSON_Delete(on_device);
    }
}

TEST(parameters_and_result_are_the_workloads_own)
{
    static sample_group g;
    sample_make(&g);
    static const td_parameter parameters[] = {
        {.name = "steps", .kind = TD_PARAMETER_COUNT},
        {.name = "rule", .kind = TD_PARAMETER_DIGITS, .high = 9999},
        {.name = "density", .kind = TD_PARAMETER_REAL},
    };
    g.workload.parameters = parameters;
    g.workload.parameter_count = 3;
    g.workload.finding = (td_finding){"alive", TD_FINDS_COUNT};
    g.results[0].has_finding = true;
    g.results[0].finding.count = 12;
    g.runs[0].problem.parameters[0].count = 7;
    g.runs[0].problem.parameters[1].count = 233;
    g.runs[0].problem.parameters[2].real = 0.3;
    cJSON *run = run_of(&g, 0);
    assert_number(run, "parameters.steps", 7);
    assert_text(run, "parameters.rule", "0233");
    assert_number(run, "parameters.density", 0.3);
    assert_number(run, "result.alive", 12);
    cJSON_Delete(run);
}
