/* json_test.c - numbers, words and runs in JSON documents. */
#include "test.h"

#include <cjson/cJSON.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/parameter.h"
#include "json_at.h"
#include "report/format/fields.h"
#include "sample_group.h"

/* Compares the text of an object with one member. */
#define assert_member(expected, call)                                                              \
    do {                                                                                           \
        td_text text_ = {0};                                                                       \
        td_writer w = td_writer_open(&text_, TD_JSON_LINE);                                        \
        call;                                                                                      \
        td_writer_close(&w);                                                                       \
        assert_false(text_.failed);                                                                \
        assert_string_equal(text_.data, expected);                                                 \
        td_text_free(&text_);                                                                      \
    } while (0)

static void integers_are_exact_to_64_bits(void **state)
{
    (void)state;
    assert_member("{\"v\":0}", td_put_u64(&w, "", "v", 0));
    assert_member("{\"v\":9007199254740991}", td_put_u64(&w, "", "v", UINT64_C(9007199254740991)));
    assert_member("{\"v\":9007199254740992}", td_put_u64(&w, "", "v", UINT64_C(1) << 53));
    assert_member("{\"v\":\"9007199254740993\"}", td_put_u64(&w, "", "v", (UINT64_C(1) << 53) + 1));
    assert_member("{\"v\":\"18446744073709551615\"}", td_put_u64(&w, "", "v", UINT64_MAX));
}

static void what_is_no_number_is_null(void **state)
{
    (void)state;
    const double values[] = {1.5, NAN, INFINITY};
    assert_member("{\"v\":null}", td_put_double(&w, "", "v", NAN));
    assert_member("{\"v\":null}", td_put_exact_double(&w, "", "v", -INFINITY));
    assert_member("{\"v\":[1.5,null,null]}", td_put_doubles(&w, "", "v", values, 3));
}

static void doubles_have_digits_but_no_noise(void **state)
{
    (void)state;
    assert_member("{\"v\":0.1041}", td_put_double(&w, "", "v", 0.1041));
    assert_member("{\"v\":0.333333333}", td_put_double(&w, "", "v", 1.0 / 3));
    assert_member("{\"v\":0.1}", td_put_exact_double(&w, "", "v", 0.1));
    assert_member("{\"v\":0.30000000000000004}", td_put_exact_double(&w, "", "v", 0.1 + 0.2));
    assert_member("{\"v\":2.2250738585072014e-308}",
                  td_put_exact_double(&w, "", "v", 2.2250738585072014e-308));
}

static void doubles_have_a_point_under_every_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++) {
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    }
    if (!found) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
    char number[TD_NUMBER_SIZE];
    td_number_text(1234.5, TD_DIGITS_ALL, number);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(number, "1234.5");
}

static void strings_are_escaped_and_clean_utf8(void **state)
{
    (void)state;
    assert_member("{\"v\":\"a\\\"b\\\\c\\n\\u0001\"}", td_put_text(&w, "", "v", "a\"b\\c\n\x01"));
    assert_member("{\"v\":\"caf\xc3\xa9 \xf0\x9f\x94\xba\"}",
                  td_put_text(&w, "", "v", "caf\xc3\xa9 \xf0\x9f\x94\xba"));
    /* a stray byte, an overlong slash, a surrogate, a sequence cut by the end */
    assert_member(
        "{\"v\":\"\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|"
        "\xef\xbf\xbd\xef\xbf\xbd\"}",
        td_put_text(&w, "", "v", "\xff|\xc0\xaf|\xed\xa0\x80|\xe2\x82"));
    assert_member("{\"v\":null}", td_put_text(&w, "", "v", ""));
    assert_member("{\"v\":null}", td_put_text(&w, "", "v", NULL));
}

/* The JSON of one run of the sample group. */
static cJSON *run_of(sample_group *g, size_t index)
{
    td_record record;
    td_text text = {0};

    td_group_summarise(&g->group, g->results);
    assert_int_equal(
        td_record_make(&g->group, g->results, index, TD_CACHE_COLD, &g->environment, &record, NULL),
        TD_OK);
    td_writer w = td_writer_open(&text, TD_JSON_LINE);
    td_put_fields(&w, &record);
    td_writer_close(&w);
    assert_false(text.failed);
    cJSON *run = cJSON_Parse(text.data);
    td_text_free(&text);
    assert_non_null(run);
    return run;
}

static void measured_run_has_times_rates_and_improvement(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    g.environment.peaks.fill_gb_per_s = 0.5;
    g.environment.l2_bytes = g.environment.cpu_cache_bytes = 1344;
    g.results[0].sampling = TD_SAMPLING_HOST;
    cJSON *run = run_of(&g, 0);
    assert_text(run, "strategy", "ltm-r");
    assert_text(run, "cache", "cold");
    assert_text(run, "samples.timing", "host");
    assert_number(run, "launch.blocks_wasted", 6);
    assert_number(run, "time_ms.median", 0.625);
    assert_number(run, "throughput.cells_per_s", 2080 / 0.625e-3);
    assert_number(run, "throughput.gb_per_s", 9344 / 0.625e-3 * 1e-9);
    assert_number(run, "throughput.fraction_of_peak", 9344 / 0.625e-3 * 1e-9 / 0.5);
    assert_number(run, "throughput.flops_per_s", 27040 / 0.625e-3);
    assert_text(run, "roofline.arithmetic", "fp32");
    assert_number(run, "roofline.operations", 27040);
    assert_number(run, "roofline.gop_per_s", 27040 / 0.625e-3 * 1e-9);
    assert_text(run, "roofline.ceiling", "fill");
    assert_number(run, "roofline.bound_ms", 8000 / 0.5e6);
    assert_number(run, "roofline.fraction_of_bound", 8000 / 0.5e6 / 0.625);
    assert_text(run, "improvement.baseline", "bb");
    assert_number(run, "improvement.factor", 2);
    assert_int_equal(cJSON_GetArraySize(at(run, "improvement.ci95")), 2);
    assert_int_equal(cJSON_GetArraySize(at(run, "samples.ms")), SAMPLE_COUNT);
    assert_null_at(run, "reason");
    assert_int_equal(cJSON_GetArraySize(at(run, "parameters")), 0);
    assert_null_at(run, "cutoff");
    assert_null_at(run, "device_state.throttled");
    assert_null_at(run, "device_state.sm_mhz");
    assert_null_at(run, "energy_j");
    assert_null_at(run, "energy");
    cJSON_Delete(run);
}

static void energy_is_of_a_launch_and_of_a_cell(void **state)
{
    static const td_energy counted = {.asked = true,
                                      .windows = TD_ENERGY_WINDOWS,
                                      .launch_j = {0.3, 0.1, 0.2, 0.4, 1.6, 0.5},
                                      .launches = 100,
                                      .joules = 30.0,
                                      .seconds = 2.5};
    static sample_group g;
    (void)state;
    sample_make(&g);
    g.results[0].energy = counted;
    cJSON *run = run_of(&g, 0);
    assert_number(run, "energy.launch_j", 0.35);
    assert_number(run, "energy_j", 0.35);
    assert_number(run, "energy.nj_per_cell", 0.35e9 / 2080);
    assert_number(run, "energy.power_w", 12);
    assert_number(run, "energy.launches", 100);
    assert_true(cJSON_GetArrayItem(at(run, "energy.ci95"), 0)->valuedouble == 0.1);
    assert_true(cJSON_GetArrayItem(at(run, "energy.ci95"), 1)->valuedouble == 1.6);
    assert_null_at(run, "energy.reason");
    cJSON_Delete(run);
}

static void energy_that_could_not_be_counted_has_a_reason(void **state)
{
    static sample_group g;
    (void)state;
    sample_make(&g);
    g.results[0].energy = (td_energy){.asked = true, .reason = "not permitted"};
    cJSON *run = run_of(&g, 0);
    assert_text(run, "energy.reason", "not permitted");
    assert_null_at(run, "energy.launch_j");
    assert_null_at(run, "energy.ci95");
    assert_null_at(run, "energy_j");
    cJSON_Delete(run);
}

static void baseline_is_not_measured_against_itself(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    cJSON *run = run_of(&g, 1);
    assert_null_at(run, "improvement");
    assert_null_at(run, "throughput.fraction_of_peak"); /* no peak bandwidth is known */
    cJSON_Delete(run);
}

static void improvement_needs_a_baseline_that_is_ok(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    g.results[1].status = TD_RUN_FAILED;
    cJSON *run = run_of(&g, 0);
    assert_null_at(run, "improvement");
    cJSON_Delete(run);
}

static void improvement_uses_the_rounds_that_both_have(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    g.results[1].sample_count = 5; /* too few for an interval */
    cJSON *run = run_of(&g, 0);
    assert_number(run, "improvement.factor", 2);
    assert_null_at(run, "improvement.ci95");
    cJSON_Delete(run);
}

static void failed_run_has_its_reason_and_nulls(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    cJSON *run = run_of(&g, 2);
    assert_text(run, "status", "failed");
    assert_text(run, "started", "2026-01-02T03:04:05.250Z");
    assert_text(run, "reason", "the device said \"no\", twice");
    assert_text(run, "verified.status", "none");
    assert_null_at(run, "verified.checked");
    assert_null_at(run, "time_ms");
    assert_null_at(run, "samples");
    assert_null_at(run, "device_state");
    assert_number(run, "launch.kernels", 3);
    cJSON_Delete(run);
}

static void skipped_run_has_the_reason_of_its_plan(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    cJSON *run = run_of(&g, 3);
    assert_text(run, "status", "skipped");
    assert_text(run, "reason", "dp needs a GPU");
    assert_null_at(run, "launch");
    assert_null_at(run, "throughput.bytes");
    assert_null_at(run, "working_set_bytes");
    cJSON_Delete(run);
}

static void throttling_before_the_run_counts(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    g.results[0].before.throttled = 1;
    g.results[0].after = (td_telemetry){1980, 3201, 41, 310.2, 2, 0};
    cJSON *run = run_of(&g, 0);
    assert_true(cJSON_IsTrue(at(run, "device_state.throttled")));
    assert_number(run, "device_state.power_w", 310.2);
    cJSON_Delete(run);
}

static void caveats_are_named_one_after_the_other(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    for (uint32_t s = 0; s < g.results[0].sample_count; s++) {
        g.ms[0][s] = 1.0;
        g.ms[1][s] = s % 2 == 0 ? 1.0 : 1.2;
    }
    cJSON *quiet = run_of(&g, 0);
    g.results[1].before.throttled = 1;
    g.results[1].launch_bytes = 4000000000;
    g.environment.peaks.fill_gb_per_s = 1;
    g.environment.l2_bytes = g.environment.cpu_cache_bytes = 1;
    cJSON *noisy = run_of(&g, 1);
    assert_null_at(quiet, "caveats");
    assert_text(noisy, "caveats", "wide interval, two modes, throttled, above its bound");
    cJSON_Delete(quiet);
    cJSON_Delete(noisy);
}

/* Caveats of the host apply to cpu runs only, since a device has its own clocks. */
static void caveats_of_the_host_are_those_of_its_own_runs(void **state)
{
    static const struct {
        double load, running;
        uint32_t threads;
        const char *governor, *caveats;
    } cases[] = {{0.4, 9, 8, "performance", NULL},   {9, 0, 8, "", NULL},
                 {1.2, 1, 7, "performance", NULL},   {2, 2, 7, "", "busy host"},
                 {0, 0, 8, "powersave", "governor"}, {3, 3, 8, "ondemand", "busy host, governor"}};
    (void)state;
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

static void a_shared_device_is_in_the_record(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    cJSON *without = run_of(&g, 0);
    g.results[0].before.others = 1;
    g.results[0].after.others = 0;
    cJSON *with = run_of(&g, 0);
    assert_null_at(without, "device_state.other_processes");
    assert_number(with, "device_state.other_processes", 1);
    assert_text(with, "caveats", "wide interval, shared");
    cJSON_Delete(without);
    cJSON_Delete(with);
}

static void parameters_and_result_are_the_workloads_own(void **state)
{
    (void)state;
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
    g.runs[0].cutoff = 64;
    cJSON *run = run_of(&g, 0);
    assert_number(run, "parameters.steps", 7);
    assert_text(run, "parameters.rule", "0233");
    assert_number(run, "parameters.density", 0.3);
    assert_number(run, "result.alive", 12);
    assert_number(run, "cutoff", 64);
    cJSON_Delete(run);
}

static void verification_that_met_a_nan_is_still_json(void **state)
{
    (void)state;
    static sample_group g;
    sample_make(&g);
    g.results[0].verified = TD_VERIFIED_FAIL;
    g.results[0].status = TD_RUN_FAILED;
    g.results[0].max_abs_error = NAN;
    g.workload.finding = (td_finding){"energy", TD_FINDS_REAL};
    g.results[0].has_finding = true;
    g.results[0].finding.real = INFINITY;
    cJSON *run = run_of(&g, 0);
    assert_null_at(run, "verified.max_abs_error");
    assert_null_at(run, "result.energy");
    assert_true(cJSON_IsString(at(run, "reason")));
    cJSON_Delete(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact_to_64_bits),
        cmocka_unit_test(what_is_no_number_is_null),
        cmocka_unit_test(doubles_have_digits_but_no_noise),
        cmocka_unit_test(doubles_have_a_point_under_every_locale),
        cmocka_unit_test(strings_are_escaped_and_clean_utf8),
        cmocka_unit_test(measured_run_has_times_rates_and_improvement),
        cmocka_unit_test(energy_is_of_a_launch_and_of_a_cell),
        cmocka_unit_test(energy_that_could_not_be_counted_has_a_reason),
        cmocka_unit_test(baseline_is_not_measured_against_itself),
        cmocka_unit_test(improvement_needs_a_baseline_that_is_ok),
        cmocka_unit_test(improvement_uses_the_rounds_that_both_have),
        cmocka_unit_test(failed_run_has_its_reason_and_nulls),
        cmocka_unit_test(skipped_run_has_the_reason_of_its_plan),
        cmocka_unit_test(throttling_before_the_run_counts),
        cmocka_unit_test(caveats_are_named_one_after_the_other),
        cmocka_unit_test(caveats_of_the_host_are_those_of_its_own_runs),
        cmocka_unit_test(a_shared_device_is_in_the_record),
        cmocka_unit_test(parameters_and_result_are_the_workloads_own),
        cmocka_unit_test(verification_that_met_a_nan_is_still_json),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
