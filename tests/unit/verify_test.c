/* verify_test.c - stray stores: a launch with the right result that also writes elsewhere. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/bench/group.h"
#include "engine/sweep/sweep.h"

static int64_t stray; /* the byte that each launch spoils, as an offset in the output */

static td_status stray_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    ((uint8_t *)execution->data.output)[stray] ^= 1;
    return status;
}

static char *cell; /* --cell, NULL: none */

/* NULL: the engine's own */
static td_status (*check)(td_engine *, const td_workload *, const td_data *, td_check_counts *,
                          td_error *);

/* Runs this workload on an engine with this launch function. */
static td_result run_of(const char *workload, const char *layout,
                        td_status (*launch)(td_engine *, const td_execution *, td_error *))
{
    char *argv[] = {"tribench",
                    "-s",
                    strcmp(workload, "triplet") == 0 ? "bb-tetra" : "bb",
                    "-w",
                    (char *)(uintptr_t)workload,
                    "-n",
                    "20",
                    "--layout",
                    (char *)(uintptr_t)layout,
                    "--cell",
                    cell};
    const td_engine_config config = {.threads = 1};
    const td_protocol protocol = {.samples = 1, .max_time_s = 1, .verify = true};
    const td_observer observer = {0};
    td_engine_ops ops = td_cpu_ops;
    ops.launch = launch;
    ops.check = check != NULL ? check : ops.check;
    td_options options;
    td_sweep sweep;
    td_engine *engine;
    td_error error = {""};
    td_result result = {0};
    assert_int_equal(td_options_parse(cell != NULL ? 11 : 9, argv, &options, &error), TD_OK);
    assert_int_equal(td_sweep_make(&options, NULL, &td_cpu_ops, &sweep, &error), TD_OK);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    engine->ops = &ops;
    td_group_run(engine, &protocol, &sweep.groups[0], &observer, &result);
    td_cpu_ops.close(engine);
    td_sweep_free(&sweep);
    td_options_free(&options);
    td_result_free(&result);
    return result;
}

static td_result result_of(const char *layout, int64_t spoilt)
{
    stray = spoilt;
    return run_of("write", layout, stray_launch);
}

static void assert_wrong(const char *layout, int64_t spoilt, const char *words)
{
    const td_result result = result_of(layout, spoilt);
    assert_int_equal(result.verified, TD_VERIFIED_FAIL);
    assert_int_equal(result.status, TD_RUN_FAILED);
    assert_int_equal(result.error, TD_WRONG);
    assert_int_equal(result.mismatches, 1);
    assert_non_null(strstr(result.reason, words));
}

static void store_in_a_guard_zone_is_wrong(void **state)
{
    const int64_t bytes = 4 * 20 * 21 / 2;
    (void)state;
    assert_wrong("packed", -1, "0 of 210 cells are wrong, 0 bytes outside of the domain and 1 of");
    assert_wrong("packed", bytes,
                 "0 of 210 cells are wrong, 0 bytes outside of the domain and 1 of");
}

static void store_above_the_diagonal_is_wrong(void **state)
{
    (void)state;
    assert_wrong("full", 4, "0 of 210 cells are wrong, 1 bytes outside of the domain and 0 of");
    assert_wrong("full", 4 * 19 + 3,
                 "0 of 210 cells are wrong, 1 bytes outside of the domain and 0 of");
}

static void wrong_cell_is_wrong(void **state)
{
    (void)state;
    assert_wrong("packed", 0, "1 of 210 cells are wrong, 0 bytes outside of the domain and 0 of");
}

/* ---- launches that leave something out, or nearly do ---- */

static td_status no_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    (void)engine;
    (void)execution;
    (void)error;
    return TD_OK;
}

static td_status one_ulp_more(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    ((uint32_t *)execution->data.output)[1]++;
    return status;
}

static void one_ulp_is_wrong_on_generated_points(void **state)
{
    const td_result result = run_of("edm4", "packed", one_ulp_more);
    (void)state;
    assert_int_equal(result.error, TD_WRONG);
    assert_int_equal(result.mismatches, 1);
}

static void memory_is_poisoned_to_its_last_byte(void **state)
{
    const char *const layouts[] = {"packed", "full"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const td_result result = run_of("write", layouts[i], no_launch);
        assert_int_equal(result.error, TD_WRONG);
        assert_int_equal(result.mismatches, 210); /* all cells and nothing outside */
        assert_true(result.max_abs_error == 1.0 + 0x5a5a5a5b);
    }
}

/* Writes 1 everywhere without reading, which is right for the first launch. */
static td_status ones(td_engine *engine, const td_execution *execution, td_error *error)
{
    (void)engine;
    (void)error;
    for (size_t i = 0; i < 210; i++) {
        ((int32_t *)execution->data.output)[i] = 1;
    }
    return TD_OK;
}

static void cells_that_store_what_they_should_add_are_wrong(void **state)
{
    const td_result added = run_of("accumulate", "packed", td_cpu_ops.launch);
    const td_result stored = run_of("accumulate", "packed", ones);
    (void)state;
    assert_int_equal(added.verified, TD_VERIFIED_PASS);
    assert_int_equal(stored.error, TD_WRONG);
    assert_int_equal(stored.mismatches, 210);
}

/* The output before the first generation must not be right by chance. */
static void automaton_that_does_not_advance_is_wrong(void **state)
{
    char *const widths[] = {"u8", "u32", "bit"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        cell = widths[i];
        const td_result result = run_of("life", "packed", no_launch);
        cell = NULL;
        assert_int_equal(result.error, TD_WRONG);
        assert_int_equal(result.mismatches, 210);
    }
}

/* The second of two runs in the same memory does nothing. The first run's output must not pass as its own. */
static td_status launch_of_bb(td_engine *engine, const td_execution *execution, td_error *error)
{
    return strcmp(execution->strategy->name, "bb") == 0
               ? td_cpu_ops.launch(engine, execution, error)
               : TD_OK;
}

static void run_that_writes_nothing_is_wrong_after_one_that_was_right(void **state)
{
    char *argv[] = {"tribench", "-s", "bb,ltm-i", "-w", "collision", "-n", "20"};
    const td_engine_config config = {.threads = 1};
    const td_protocol protocol = {.samples = 1, .max_time_s = 1, .verify = true};
    const td_observer observer = {0};
    td_engine_ops ops = td_cpu_ops;
    td_options options;
    td_sweep sweep;
    td_engine *engine;
    td_error error = {""};
    td_result results[2] = {{0}, {0}};
    (void)state;
    ops.launch = launch_of_bb;
    assert_int_equal(td_options_parse(7, argv, &options, &error), TD_OK);
    assert_int_equal(td_sweep_make(&options, NULL, &td_cpu_ops, &sweep, &error), TD_OK);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    engine->ops = &ops;
    assert_int_equal(sweep.groups[0].count, 2);
    td_group_run(engine, &protocol, &sweep.groups[0], &observer, results);
    td_cpu_ops.close(engine);
    td_sweep_free(&sweep);
    td_options_free(&options);
    for (size_t r = 0; r < 2; r++) {
        td_result_free(&results[r]);
    }
    assert_int_equal(results[0].verified, TD_VERIFIED_PASS);
    assert_int_equal(results[1].verified, TD_VERIFIED_FAIL);
    assert_int_equal(results[1].mismatches, 190); /* all pairs */
}

/* ---- sums: one number for all cells ---- */

static double excess; /* relative error added to the sum */

static td_status sum_and_more(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    if (execution->workload->sum != NULL) {
        double *sum = execution->data.output;
        *sum += *sum * excess;
    }
    return status;
}

static td_result sum_off_by(double relatively)
{
    excess = relatively;
    return run_of("triplet", "packed", sum_and_more);
}

static void sum_that_is_off_by_little_is_wrong(void **state)
{
    (void)state;
    assert_int_equal(sum_off_by(0.0).verified, TD_VERIFIED_PASS);
    assert_int_equal(sum_off_by(1e-12).verified, TD_VERIFIED_PASS);
    assert_int_equal(sum_off_by(1e-8).error, TD_WRONG);
    assert_int_equal(sum_off_by(-1e-8).error, TD_WRONG);
}

static void sum_that_is_no_number_is_wrong(void **state)
{
    const td_result result = sum_off_by(NAN);
    (void)state;
    assert_int_equal(result.error, TD_WRONG);
    assert_false(result.has_finding);
}

/* An unwritten part, however small, leaves its poison in the sum. */
static td_status without_last_tile(td_engine *engine, const td_execution *execution,
                                   td_error *error)
{
    td_execution shorter = *execution;
    td_plan plan = *execution->plan;
    td_launch launch = plan.launches[0];
    if (execution->workload->sum != NULL) {
        launch.grid.z--;
        plan.launches = &launch;
        shorter.plan = &plan;
    }
    return td_cpu_ops.launch(engine, &shorter, error);
}

static void sum_without_a_tile_is_wrong(void **state)
{
    const td_result result = run_of("triplet", "packed", without_last_tile);
    (void)state;
    assert_int_equal(result.error, TD_WRONG);
    assert_true(!result.has_finding || result.finding.real > 1e300);
}

/* ---- a check that skips cells ---- */

static td_status check_of_fewer(td_engine *engine, const td_workload *workload, const td_data *data,
                                td_check_counts *counts, td_error *error)
{
    const td_status status = td_cpu_ops.check(engine, workload, data, counts, error);
    counts->checked--;
    return status;
}

static void check_of_fewer_cells_is_wrong(void **state)
{
    check = check_of_fewer;
    const td_result result = run_of("write", "packed", td_cpu_ops.launch);
    check = NULL;
    (void)state;
    assert_int_equal(result.mismatches, 0);
    assert_int_equal(result.verified, TD_VERIFIED_FAIL);
    assert_int_equal(result.error, TD_WRONG);
    assert_non_null(strstr(result.reason, "the check compared 209 cells, the domain has 210"));
}

/* ---- dummy stores nothing per cell, so visits are counted in the same grids ---- */

/* Launches only the counting workload, or only the other one. */
static td_status launch_only(bool counting, td_engine *engine, const td_execution *execution,
                             td_error *error)
{
    return execution->workload->traits.counts_visits == counting
               ? td_cpu_ops.launch(engine, execution, error)
               : TD_OK;
}

static td_status without_visits(td_engine *engine, const td_execution *execution, td_error *error)
{
    return launch_only(false, engine, execution, error);
}

static td_status visits_alone(td_engine *engine, const td_execution *execution, td_error *error)
{
    return launch_only(true, engine, execution, error);
}

/* Visits the last cell once too often. */
static td_status one_visit_more(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    if (execution->workload->traits.counts_visits) {
        ((uint32_t *)execution->data.output)[20 * 21 / 2 - 1]++;
    }
    return status;
}

static void dummy_is_wrong_where_a_cell_is_not_visited_once(void **state)
{
    const td_result none = run_of("dummy", "packed", without_visits);
    const td_result more = run_of("dummy", "packed", one_visit_more);
    (void)state;
    assert_int_equal(none.status, TD_RUN_FAILED);
    assert_int_equal(none.error, TD_WRONG);
    assert_int_equal(none.mismatches, 210);
    assert_int_equal(more.verified, TD_VERIFIED_FAIL);
    assert_int_equal(more.mismatches, 1);
    assert_true(more.max_abs_error == 1.0);
}

/* Leaves the run itself right, but adds five visits to a cell when visits are counted. */
static td_status many_visits_more(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    uint32_t *output = execution->data.output;
    if (execution->workload->traits.counts_visits) {
        output[7] += 5;
    }
    return status;
}

static td_status check_off_by_nine(td_engine *engine, const td_workload *workload,
                                   const td_data *data, td_check_counts *counts, td_error *error)
{
    const td_status status = td_cpu_ops.check(engine, workload, data, counts, error);
    counts->max_abs_error = workload->traits.counts_visits ? counts->max_abs_error : 9.0;
    return status;
}

static void larger_error_of_two_verifications_is_told(void **state)
{
    const td_result visits = run_of("dummy", "packed", many_visits_more);
    check = check_off_by_nine;
    const td_result own = run_of("dummy", "packed", many_visits_more);
    check = NULL;
    (void)state;
    assert_true(visits.max_abs_error == 5.0);
    assert_true(own.max_abs_error == 9.0);
}

static void dummy_is_wrong_where_nobody_writes(void **state)
{
    const td_result result = run_of("dummy", "packed", visits_alone);
    (void)state;
    assert_int_equal(result.verified, TD_VERIFIED_FAIL);
    assert_int_equal(result.error, TD_WRONG);
    assert_int_equal(result.mismatches, 210);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(store_in_a_guard_zone_is_wrong),
        cmocka_unit_test(store_above_the_diagonal_is_wrong),
        cmocka_unit_test(wrong_cell_is_wrong),
        cmocka_unit_test(dummy_is_wrong_where_a_cell_is_not_visited_once),
        cmocka_unit_test(one_ulp_is_wrong_on_generated_points),
        cmocka_unit_test(memory_is_poisoned_to_its_last_byte),
        cmocka_unit_test(cells_that_store_what_they_should_add_are_wrong),
        cmocka_unit_test(run_that_writes_nothing_is_wrong_after_one_that_was_right),
        cmocka_unit_test(automaton_that_does_not_advance_is_wrong),
        cmocka_unit_test(sum_that_is_off_by_little_is_wrong),
        cmocka_unit_test(sum_that_is_no_number_is_wrong),
        cmocka_unit_test(sum_without_a_tile_is_wrong),
        cmocka_unit_test(check_of_fewer_cells_is_wrong),
        cmocka_unit_test(larger_error_of_two_verifications_is_told),
        cmocka_unit_test(dummy_is_wrong_where_nobody_writes),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
