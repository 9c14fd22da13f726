/* roofline_test.c - the models of the workloads, the bound that follows from them, the rates of the cpu engine. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/cuda/row.h"
#include "engine/engine.h"
#include "engine/options/options.h"
#include "engine/needs/execution.h"
#include "engine/needs/planning.h"
#include "engine/sweep/sweep.h"
#include "report/format/roofline.h"

static const td_environment peaks = {.fill_gb_per_s = 4000,
                                     .copy_gb_per_s = 2000,
                                     .fp32_gop_per_s = 50000,
                                     .fp64_gop_per_s = 100,
                                     .int32_gop_per_s = 10000};

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance)) {
        fail_msg("%.9g is not %.9g", found, expected);
    }
}

/* The first run that a command line selects, with the counts of its model. */
static void plan(const char *workload, const char *option, const char *value, td_sweep *sweep,
                 td_options *options, td_result *result)
{
    static char text[3][40];
    char *argv[] = {"tribench", "-e", "cpu", "-n", "1000", "-w", text[0], text[1], text[2], NULL};
    td_plan plan = {0};
    td_error error = {""};
    snprintf(text[0], sizeof text[0], "%s", workload);
    snprintf(text[1], sizeof text[1], "%s", option);
    snprintf(text[2], sizeof text[2], "%s", value);
    memset(result, 0, sizeof *result);
    assert_int_equal(td_options_parse(9, argv, options, &error), TD_OK);
    assert_int_equal(td_sweep_make(options, &td_cuda_ops, sweep, &error), TD_OK);
    assert_int_equal(td_run_plan(&sweep->runs[0], false, &plan, &error), TD_OK);
    td_run_counts(&sweep->runs[0], &plan, result);
    td_plan_free(&plan);
}

typedef struct expectation {
    const char *workload, *option, *value;
    const char *arithmetic;
    double operations, bytes;
    const char *ceiling;
    double bound_ms;
} expectation;

static void bound_is_the_slowest_of_memory_and_arithmetic(void **state)
{
    (void)state;
    const double t = 500500, te = 167167000; /* cells at N = 1000 */
    const expectation cases[] = {
        {"edm4", "-s", "bb", "fp32", 13 * t, 4 * t + 16000, "fill", (4 * t + 16000) / 4000e6},
        {"write", "-s", "bb", NULL, 0, 4 * t, "fill", 4 * t / 4000e6},
        {"dummy", "-s", "bb", "int32", t, 4, "int32", t / 10000e6},
        {"cover", "-s", "bb", "int32", t, 8 * t, "copy", 8 * t / 2000e6},
        {"gol", "--steps", "3", "int32", 3 * 18 * t / 4, 3 * 2 * t, "copy", 3 * 2 * t / 2000e6},
        {"life", "--cell", "u32", "int32", 100 * 6 * t, 100 * 8 * t, "copy", 100 * 8 * t / 2000e6},
        {"life", "--cell", "u8", "int32", 150 * t, 100 * 2 * t, "copy", 100 * 2 * t / 2000e6},
        {"life", "--cell", "bit", "int32", 75 * t, 100 * t / 4, "copy", 100 * t / 4 / 2000e6},
        /* two generations in one launch: the state is moved half as often */
        {"life", "--memory", "two-generation", "int32", 150 * t, 100 * t, "copy", 100 * t / 2000e6},
        {"triplet", "-s", "bb-tetra", "fp64", 42 * te, 12 * 1002 + 8, "fp64", 42 * te / 100e6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const expectation *c = &cases[i];
        td_options options;
        td_sweep sweep;
        td_result result;
        plan(c->workload, c->option, c->value, &sweep, &options, &result);
        const td_roofline r = td_roofline_make(&sweep.runs[0], &result, &peaks, 2 * c->bound_ms);
        td_sweep_free(&sweep);
        td_options_free(&options);
        print_message("%s %s\n", c->workload, c->value);
        assert_near((double)r.operations, c->operations, 1);
        assert_near((double)r.bytes, c->bytes, 1);
        assert_string_equal(r.arithmetic != NULL ? r.arithmetic : "",
                            c->arithmetic != NULL ? c->arithmetic : "");
        assert_string_equal(r.ceiling, c->ceiling);
        assert_near(r.bound_ms, c->bound_ms, 1e-6 * c->bound_ms);
        assert_near(r.fraction, 0.5, 1e-6);
        assert_near(r.intensity, c->operations / c->bytes, 1e-3);
        assert_near(r.gop_per_s, c->operations / (2 * c->bound_ms * 1e6), 1e-3 * r.gop_per_s);
    }
}

static void nothing_is_known_without_peaks_or_time(void **state)
{
    (void)state;
    td_options options;
    td_sweep sweep;
    td_result result;
    const td_environment nothing = {0};
    plan("edm4", "-s", "bb", &sweep, &options, &result);
    const td_roofline without_peaks = td_roofline_make(&sweep.runs[0], &result, &nothing, 1.0);
    const td_roofline without_time = td_roofline_make(&sweep.runs[0], &result, &peaks, NAN);
    const td_roofline in_no_time = td_roofline_make(&sweep.runs[0], &result, &peaks, 0.0);
    td_sweep_free(&sweep);
    td_options_free(&options);
    assert_null(without_peaks.ceiling);
    assert_true(isnan(without_peaks.bound_ms) && isnan(without_peaks.fraction));
    assert_true(without_peaks.gop_per_s > 0);
    assert_true(isnan(without_time.gop_per_s) && isnan(without_time.fraction));
    assert_true(without_time.bound_ms > 0);
    assert_true(isnan(in_no_time.gop_per_s) && isnan(in_no_time.fraction));
}

/* No core starts more than four vectors of 64 bytes in a cycle, nor has 7 GHz: more would be work left out. */
static void cores_have_rates_that_cores_can_have(void **state)
{
    (void)state;
    td_engine *cpu = NULL;
    td_environment e = {0};
    td_error error = {""};
    const td_engine_config config = {.threads = 1};
    assert_int_equal(td_cpu_ops.open(&config, &cpu, &error), TD_OK);
    const td_status status = td_cpu_ops.peak_arithmetic(cpu, &e, &error);
    td_cpu_ops.close(cpu);
    print_message("fp32 %.0f, fp64 %.0f, int32 %.0f Gop/s\n", e.fp32_gop_per_s, e.fp64_gop_per_s,
                  e.int32_gop_per_s);
    assert_int_equal(status, TD_OK);
    assert_true(e.fp64_gop_per_s > 0.01 && e.fp64_gop_per_s < 4 * 8 * 7);
    assert_true(e.fp32_gop_per_s > 0.01 && e.fp32_gop_per_s < 4 * 16 * 7);
    assert_true(e.int32_gop_per_s > 0.01 && e.int32_gop_per_s < 4 * 16 * 7);
}

static uint64_t sixty_bytes(const td_problem *problem)
{
    (void)problem;
    return 60;
}

/* Half of the bytes or more are read: it is a copy; of fewer, a fill. */
static void what_reads_half_of_its_bytes_is_bound_by_copying(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *ceiling;
    } cases[] = {{100, "copy"}, {119, "copy"}, {120, "copy"}, {121, "fill"}, {200, "fill"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const td_workload_input input = {.bytes = sixty_bytes};
        const td_workload workload = {.name = "reads", .input = &input};
        const td_run run = {.workload = &workload};
        const td_result result = {.bytes = cases[i].bytes, .launch_bytes = cases[i].bytes};
        assert_string_equal(td_roofline_make(&run, &result, &peaks, 1.0).ceiling, cases[i].ceiling);
    }
}

/* Of an automaton those of all generations, be a launch one of them or two. */
static void cells_are_those_of_all_generations(void **state)
{
    static const char *const memories[] = {"halo", "two-generation"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        td_options options;
        td_sweep sweep;
        td_result result;
        plan("life", "--memory", memories[i], &sweep, &options, &result);
        td_sweep_free(&sweep);
        td_options_free(&options);
        assert_int_equal(result.cells, 100 * 500500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_reads_half_of_its_bytes_is_bound_by_copying),
        cmocka_unit_test(cells_are_those_of_all_generations),
        cmocka_unit_test(bound_is_the_slowest_of_memory_and_arithmetic),
        cmocka_unit_test(nothing_is_known_without_peaks_or_time),
        cmocka_unit_test(cores_have_rates_that_cores_can_have),
    };
    return cmocka_run_group_tests_name("roofline", tests, NULL, NULL);
}
