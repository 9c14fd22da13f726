/* verify_test.c - faults that the verification of a group must find and name; refusal_test.c has those of each
 * workload. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "command.h"
#include "engine/bench/group.h"

typedef td_status launch_fn(td_engine *engine, const td_execution *execution, td_error *error);
typedef td_status check_fn(td_engine *engine, const td_workload *workload, const td_data *data,
                           td_check_counts *counts, td_error *error);

enum { MOST_RUNS = 2 };

static bool samples_do_nothing;

static td_status sample(td_engine *engine, td_prepared *prepared, double *batch_ms, td_error *error)
{
    *batch_ms = 1.0;
    return samples_do_nothing ? TD_OK : td_cpu_ops.sample(engine, prepared, batch_ms, error);
}

/* Run the one group of a command line on the cpu engine. NULL: the engine's own function. */
static void run_all(const char *line, launch_fn *launch, check_fn *check,
                    td_result results[MOST_RUNS])
{
    const td_engine_config config = {.threads = 1};
    const td_protocol protocol = {.samples = 1, .max_time_s = 1, .verify = true};
    const td_observer observer = {0};
    td_engine_ops ops = td_cpu_ops;
    td_engine *engine;
    command c;
    ops.launch = launch != NULL ? launch : ops.launch;
    ops.check = check != NULL ? check : ops.check;
    ops.sample = sample;
    make_ok(line, &c);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &c.error), TD_OK);
    engine->ops = &ops;
    memset(results, 0, MOST_RUNS * sizeof *results);
    assert_true(c.sweep.groups[0].count <= MOST_RUNS);
    td_group_run(engine, &protocol, &c.sweep.groups[0], &observer, results);
    td_cpu_ops.close(engine);
    for (size_t r = 0; r < MOST_RUNS; r++) {
        td_result_free(&results[r]);
    }
    done(&c);
}

static td_result run_of(const char *line, launch_fn *launch, check_fn *check)
{
    td_result results[MOST_RUNS];
    run_all(line, launch, check, results);
    return results[0];
}

/* ---- faults ---- */

static int64_t stray; /* the byte that a launch spoils besides, as an offset in the output */

static td_status stray_store(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    ((uint8_t *)execution->data.output)[stray] ^= 1;
    return status;
}

static td_status nothing(td_engine *engine, const td_execution *execution, td_error *error)
{
    (void)engine, (void)execution, (void)error;
    return TD_OK;
}

/* Writes 1 everywhere without reading, which is right for the first launch. */
static td_status ones(td_engine *engine, const td_execution *execution, td_error *error)
{
    (void)engine, (void)error;
    for (size_t i = 0; i < 210; i++) {
        ((int32_t *)execution->data.output)[i] = 1;
    }
    return TD_OK;
}

static td_status right(td_engine *engine, const td_execution *execution, td_error *error)
{
    return td_cpu_ops.launch(engine, execution, error);
}

/* What it computes, and the check expects, follows from the changed input. */
static td_status after_changing_its_input(td_engine *engine, const td_execution *execution,
                                          td_error *error)
{
    ((float *)(uintptr_t)execution->data.input)[3] += 1.0F;
    return td_cpu_ops.launch(engine, execution, error);
}

static td_status only_under_bb(td_engine *engine, const td_execution *execution, td_error *error)
{
    return strcmp(execution->strategy->name, "bb") == 0
               ? td_cpu_ops.launch(engine, execution, error)
               : TD_OK;
}

static td_status no_number(td_engine *engine, const td_execution *execution, td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    if (execution->workload->sum != NULL) {
        *(double *)execution->data.output = NAN;
    }
    return status;
}

/* One cell, or of a mirrored output its upper place alone. */
static td_status one_product_wrong(td_engine *engine, const td_execution *execution,
                                   td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    if (!execution->workload->traits.counts_visits) {
        ((uint16_t *)execution->data.output)[stray] = 0x4348; /* 200 */
    }
    return status;
}

/* Skips the workload that counts visits. */
static td_status without_visits(td_engine *engine, const td_execution *execution, td_error *error)
{
    return !execution->workload->traits.counts_visits ? td_cpu_ops.launch(engine, execution, error)
                                                      : TD_OK;
}

static uint32_t more_visits; /* of the last cell */

static td_status more_visits_of_a_cell(td_engine *engine, const td_execution *execution,
                                       td_error *error)
{
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    if (execution->workload->traits.counts_visits) {
        ((uint32_t *)execution->data.output)[20 * 21 / 2 - 1] += more_visits;
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

/* ---- what is found ---- */

TEST(every_fault_is_found)
{
    static const char guard[] = "0 of 210 cells are wrong, 0 bytes outside of the domain and 1 of";
    static const char outside[] =
        "0 of 210 cells are wrong, 1 bytes outside of the domain and 0 of";
    static const char all[] = "210 of 210 cells are wrong, 0 bytes outside of the domain and 0 of";
    static const struct {
        const char *line;
        launch_fn *launch;
        int64_t stray;
        uint64_t mismatches;
        const char *words; /* in the reason */
    } cases[] = {
        {"-s bb -n 20 -w write", stray_store, -1, 1, guard},
        {"-s bb -n 20 -w write --layout full", stray_store, 4, 1, outside},
        {"-s bb -n 20 -w accumulate", ones, 0, 210, all},
        /* dummy stores nothing per cell, so visits are counted in the same grids */
        {"-s bb -n 20 -w dummy", without_visits, 0, 210, all},
        {"-s bb-tetra -n 20 -w triplet", no_number, 0, 1, ""},
        {"-s bb -n 20 -w write", right, 0, 210, "after its samples: write: 210 of 210"},
        {"-s bb -n 20 -w life --memory halo", right, 0, 210, "after its samples: life: 210 of 210"},
        {"-s bb -n 20 -w gram", one_product_wrong, 31, 1,
         "at row 7, column 3: found 200, expected "},
        {"-s bb -n 20 -w gram --layout mirrored", one_product_wrong, 67, 1,
         "at row 7, column 3: found 200, expected "},
        {"-s bb -n 20 -w edm1", after_changing_its_input, 0, 1, "edm1: its input was changed"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        stray = cases[i].stray;
        samples_do_nothing = cases[i].launch == right;
        const td_result r = run_of(cases[i].line, cases[i].launch, NULL);
        assert_true(cases[i].launch != no_number || !r.has_finding);
        assert_int_equal(r.time_ms.count, 0);
        if (r.verified != TD_VERIFIED_FAIL || r.status != TD_RUN_FAILED || r.error != TD_WRONG ||
            r.mismatches != cases[i].mismatches || strstr(r.reason, cases[i].words) == NULL) {
            fail_msg("case %zu, %s: %llu mismatches, %s", i, cases[i].line,
                     (unsigned long long)r.mismatches, r.reason);
        }
    }
}

/* The second of two runs in the same memory does nothing. The first run's output must not pass as its own. */
TEST(run_that_writes_nothing_is_wrong_after_one_that_was_right)
{
    td_result results[MOST_RUNS];
    run_all("-s bb,ltm-i -w collision -n 20", only_under_bb, NULL, results);
    assert_int_equal(results[0].verified, TD_VERIFIED_PASS);
    assert_int_equal(results[1].verified, TD_VERIFIED_FAIL);
    assert_int_equal(results[1].mismatches, 190); /* all pairs */
}

/* A poisoned cell is far from 1; of two verifications, by values and by visits, the larger error counts. */
TEST(largest_error_is_told)
{
    static const struct {
        const char *line;
        launch_fn *launch;
        check_fn *check;
        uint32_t more_visits;
        double error;
    } cases[] = {{"-s bb -n 20 -w write", nothing, NULL, 0, 1.0 + 0x5a5a5a5b},
                 {"-s bb -n 20 -w dummy", more_visits_of_a_cell, NULL, 1, 1.0},
                 {"-s bb -n 20 -w dummy", more_visits_of_a_cell, NULL, 5, 5.0},
                 {"-s bb -n 20 -w dummy", more_visits_of_a_cell, check_off_by_nine, 5, 9.0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        more_visits = cases[i].more_visits;
        const td_result r = run_of(cases[i].line, cases[i].launch, cases[i].check);
        assert_int_equal(r.verified, TD_VERIFIED_FAIL);
        assert_int_equal(r.mismatches, more_visits > 0 ? 1 : 210);
        assert_true(r.max_abs_error == cases[i].error);
    }
}
