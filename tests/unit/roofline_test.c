/* roofline_test.c - models of the workloads and the memory bound. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/cuda/row.h"
#include "engine/engine.h"
#include "engine/options/options.h"
#include "engine/prepare/planning.h"
#include "engine/sweep/sweep.h"
#include "report/format/record.h"

static const td_environment peaks = {
    .peaks.fill_gb_per_s = 4000, .peaks.copy_gb_per_s = 2000, .l2_bytes = 20000};

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
    assert_int_equal(td_sweep_make(options, NULL, &td_cuda_ops, sweep, &error), TD_OK);
    assert_int_equal(td_run_plan(&sweep->runs[0], false, &plan, &error), TD_OK);
    td_run_counts(&sweep->runs[0], &plan, result);
    td_plan_free(&plan);
}

/* A summary in which all samples took `ms`. */
static td_summary taking(double ms)
{
    return (td_summary){.count = 6, .median = ms, .max = ms, .ci95 = {true, ms, ms}};
}

typedef struct expectation {
    const char *workload, *option, *value;
    const char *arithmetic;
    double operations, bytes, passes, cells;
} expectation;

TEST(bound_is_what_no_cache_keeps_at_the_best_rate_of_memory)
{
    const double t = 500500, te = 167167000; /* cells at N = 1000 */
    const expectation cases[] = {
        {"edm4", "-s", "bb", "fp32", 13 * t, 4 * t + 16000, 1, t},
        {"write", "-s", "bb", NULL, 0, 4 * t, 1, t},
        {"dummy", "-s", "bb", "int32", t, 4, 1, t},
        {"gol", "--steps", "3", "int32", 3 * 18 * t / 4, 3 * 2 * t, 3, 3 * t},
        {"life", "--cell", "bit", "int32", 75 * t, 100 * t / 4, 100, 100 * t},
        /* two generations per launch: half of the state's traffic for as many cells */
        {"life", "--memory", "two-generation", "int32", 150 * t, 100 * t, 50, 100 * t},
        {"triplet", "-s", "bb-tetra", "fp64", 15 * te, 12 * 1002 + 8, 1, te},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const expectation *c = &cases[i];
        td_options options;
        td_sweep sweep;
        td_result result;
        plan(c->workload, c->option, c->value, &sweep, &options, &result);
        const double least = c->bytes - c->passes * (double)peaks.l2_bytes;
        const double bound_ms = least / 4000e6;
        const td_summary time_ms = taking(least > 0 ? 2 * bound_ms : 1.0);
        const td_roofline r = td_roofline_make(&sweep.runs[0], &result, &peaks, &time_ms);
        td_sweep_free(&sweep);
        td_options_free(&options);
        print_message("%s %s\n", c->workload, c->value);
        assert_near((double)result.cells, c->cells, 0);
        assert_near((double)r.operations, c->operations, 1);
        assert_near((double)r.bytes, c->bytes, 1);
        assert_string_equal(r.arithmetic != NULL ? r.arithmetic : "",
                            c->arithmetic != NULL ? c->arithmetic : "");
        assert_near(r.intensity, c->operations / c->bytes, 1e-3);
        assert_near(r.gop_per_s, c->operations / (time_ms.median * 1e6), 1e-3 * r.gop_per_s);
        assert_false(r.exceeded);
        if (least > 0) {
            assert_string_equal(r.ceiling, "fill");
            assert_near(r.bound_ms, bound_ms, 1e-6 * bound_ms);
            assert_near(r.fraction, 0.5, 1e-6);
        } else {
            assert_null(r.ceiling);
            assert_true(isnan(r.bound_ms) && isnan(r.fraction));
        }
    }
}

/* Five megabytes in one pass. A time exceeds the bound if its whole interval does; without an interval, if all samples
 * do. */
TEST(bound_needs_a_rate_and_a_cache_and_its_fraction_a_time)
{
    static const struct {
        td_environment environment;
        const td_engine_ops *engine;
        td_summary time_ms;
        double bound_ms, fraction; /* 0: unknown */
        const char *ceiling;
        bool exceeded;
    } cases[] = {
#define FILL {.peaks.fill_gb_per_s = 4, .l2_bytes = 1000000}, &td_cuda_ops
        {FILL, {.median = 0.8, .max = 1.2, .ci95 = {true, 0.7, 0.99}}, 1, 1.25, "fill", true},
        {FILL, {.median = 0.8, .max = 1.2, .ci95 = {true, 0.7, 1.01}}, 1, 1.25, "fill", false},
        {FILL, {.median = 0.8, .max = 0.99}, 1, 1.25, "fill", true},
        {FILL, {.median = 0.8, .max = 1.01}, 1, 1.25, "fill", false},
        {FILL, {.median = NAN, .max = NAN}, 1, 0, "fill", false},
        {FILL, {.median = 0.0, .max = 2.0}, 1, 0, "fill", false},
#undef FILL
        {{.peaks.fill_gb_per_s = 1, .peaks.copy_gb_per_s = 2, .cpu_cache_bytes = 1000000},
         &td_cpu_ops,
         {.median = 4.0, .max = 4.0},
         2,
         0.5,
         "copy",
         false},
        {{.l2_bytes = 1}, &td_cuda_ops, {.median = 1.0, .max = 1.0}, 0, 0, NULL, false},
        {{.peaks.fill_gb_per_s = 4}, &td_cuda_ops, {.median = 1.0, .max = 1.0}, 0, 0, NULL, false},
    };
    const td_workload workload = {.name = "moves"};
    const td_result result = {
        .bytes = 5000000, .launch_bytes = 5000000, .passes = 1, .flops = 1000};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_summary *time_ms = &cases[i].time_ms;
        const td_run run = {.workload = &workload, .engine = cases[i].engine};
        const td_roofline r = td_roofline_make(&run, &result, &cases[i].environment, time_ms);
        print_message("case %zu\n", i);
        assert_near(isnan(r.bound_ms) ? 0 : r.bound_ms, cases[i].bound_ms, 1e-9);
        assert_near(isnan(r.fraction) ? 0 : r.fraction, cases[i].fraction, 1e-9);
        assert_int_equal(isnan(r.gop_per_s), !(time_ms->median > 0));
        assert_true(r.ceiling == cases[i].ceiling || strcmp(r.ceiling, cases[i].ceiling) == 0);
        assert_int_equal(r.exceeded, cases[i].exceeded);
    }
}
