/* verify_test.c - stores where nobody looks for a result: a launch that is right, and then some. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/bench/group.h"
#include "engine/sweep/sweep.h"

static int64_t stray; /* the byte that each launch spoils, counted from the start of the output */

static td_status stray_launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    ((uint8_t *)execution->data.output)[stray] ^= 1;
    return status;
}

/* A run of this workload whose engine launches in this way. */
static td_result run_of(const char *workload, const char *layout,
                        td_status (*launch)(td_engine *, const td_execution *, td_error *))
{
    char *argv[] = {"tribench",
                    "-s",
                    "bb",
                    "-w",
                    (char *)(uintptr_t)workload,
                    "-n",
                    "20",
                    "--layout",
                    (char *)(uintptr_t)layout};
    const td_engine_config config = {.threads = 1};
    const td_protocol protocol = {.samples = 1, .max_time_s = 1, .verify = true};
    const td_observer observer = {0};
    td_engine_ops ops = td_cpu_ops;
    ops.launch = launch;
    td_options options;
    td_sweep sweep;
    td_engine *engine;
    td_error error = {""};
    td_result result = {0};
    assert_int_equal(td_options_parse(9, argv, &options, &error), TD_OK);
    assert_int_equal(td_sweep_make(&options, &td_cpu_ops, &sweep, &error), TD_OK);
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

/* ---- dummy stores nothing of its own: visits are counted in the same grids ---- */

/* A launch that leaves the one workload or the other out. */
static td_status launch_only(bool counting, td_engine *engine, const td_execution *execution,
                             td_error *error)
{
    return execution->workload->counts_visits == counting
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

/* The last cell is visited once more than it should be. */
static td_status one_visit_more(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    if (execution->workload->counts_visits) {
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
        cmocka_unit_test(dummy_is_wrong_where_nobody_writes),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
