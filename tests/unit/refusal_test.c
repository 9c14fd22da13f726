/*
 * refusal_test.c - verification can fail: each workload's right output with the smallest error that must not pass.
 *
 * A cell that is computed twice is detected where it matters: in a count of visits, which also verifies dummy and the
 * sums. Elsewhere the second result equals the first.
 */
#include "test.h"

#include <math.h>
#include <string.h>

#include "engine/bench/group.h"
#include "engine/cpu/row.h"
#include "engine/prepare/planning.h"
#include "engine/bench/verify.h"
#include "files.h"
#include "variants.h"
#include "workloads/triplet.h"

/* The errors that a launch makes; none if zeroed. */
static struct spoil {
    bool nothing; /* it skips its work, too */
    bool visits;  /* changes the count of visits only */
    uint8_t *at;  /* adds `by` to an integer of `bytes` bytes; NULL: element 0 of the output */
    size_t bytes; /* 0: no change */
    int64_t by;
    double add;    /* added to a sum */
    uint64_t less; /* cells that the check skips */
} spoil;

static void change(uint8_t *at, size_t bytes, int64_t by)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    value += (uint64_t)by;
    memcpy(at, &value, bytes);
}

static td_status launch(td_engine *engine, const td_execution *execution, td_error *error)
{
    if (spoil.nothing) {
        return TD_OK;
    }
    const td_status status = td_cpu_ops.launch(engine, execution, error);
    uint8_t *output = execution->data.output;
    if (execution->workload->traits.counts_visits == spoil.visits && spoil.bytes > 0) {
        change(spoil.at != NULL ? spoil.at : output, spoil.bytes, spoil.by);
    }
    if (execution->workload->sum != NULL) {
        *(double *)execution->data.output += spoil.add;
    }
    return status;
}

static td_status check(td_engine *engine, const td_workload *workload, const td_data *data,
                       td_check_counts *counts, td_error *error)
{
    const td_status status = td_cpu_ops.check(engine, workload, data, counts, error);
    counts->checked -= spoil.less;
    return status;
}

/* A run that can be verified repeatedly. */
typedef struct bench {
    td_engine_ops ops;
    td_engine *engine;
    td_run run;
    td_plan plan;
    td_buffers buffers;
    td_execution execution;
} bench;

static td_run run_of(const td_workload *workload, const td_problem *problem)
{
    td_run run = {.strategy = td_strategy_baseline(workload->dimension),
                  .workload = workload,
                  .engine = &td_cpu_ops,
                  .problem = *problem,
                  .block = {8, 8, workload->dimension == 3 ? 8 : 1}};
    run.tile = td_workload_only_tiles(workload) != NULL ? 64 : 8;
    run.problem.tile = run.tile;
    return run;
}

static void open_bench(bench *b, const td_workload *workload, const td_problem *problem)
{
    const td_engine_config config = {.threads = 1};
    td_error error = {""};
    spoil = (struct spoil){0};
    *b = (bench){.run = run_of(workload, problem), .ops = td_cpu_ops};
    b->ops.launch = launch;
    b->ops.check = check;
    assert_int_equal(td_cpu_ops.open(&config, &b->engine, &error), TD_OK);
    b->engine->ops = &b->ops;
    assert_int_equal(td_run_plan(&b->run, false, &b->plan, &error), TD_OK);
    assert_int_equal(td_buffers_open(b->engine, workload, &b->run.problem, &b->buffers, &error),
                     TD_OK);
    b->execution = td_execution_of(&b->buffers, &b->run, &b->plan);
}

static void close_bench(bench *b)
{
    td_buffers_close(&b->buffers);
    td_plan_free(&b->plan);
    td_cpu_ops.close(b->engine);
}

static td_result verify(bench *b)
{
    td_result result = {0};
    td_error error = {""};
    if (td_verify(&b->buffers, &b->execution, NULL, &result, &error) != TD_OK) {
        fail_msg("%s: %s", b->run.workload->name, error.text);
    }
    return result;
}

static bool passes(bench *b)
{
    const td_result result = verify(b);
    return result.verified == TD_VERIFIED_PASS && result.status == TD_RUN_OK;
}

/* A test of every workload and variant, in each layout. */
typedef struct each {
    uint32_t n;
    void (*test)(bench *b, const char *name);
} each;

static void test_one(const each *e, const variant *v, td_layout layout)
{
    bench b;
    td_problem problem = v->problem;
    problem.n = e->n;
    problem.seed = 7;
    problem.layout = layout;
    set_parameter(v->workload, &problem, "steps", "1");
    set_parameter(v->workload, &problem, "density", "0.4");
    open_bench(&b, v->workload, &problem);
    e->test(&b, v->name);
    close_bench(&b);
}

static void for_each_problem(void **state)
{
    static variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    for (size_t i = 0; i < count; i++) {
        for (int layout = TD_PACKED; layout <= TD_MIRRORED; layout++) {
            if (td_workload_has_layout(all[i].workload, (td_layout)layout)) {
                test_one(*state, &all[i], (td_layout)layout);
            }
        }
    }
}

/* ---- elements that are off by one; a float by one unit in the last place, or more than its workload allows ---- */

static void element_off_by_one_is_refused(bench *b, const char *name)
{
    const td_workload *workload = b->run.workload;
    if (workload->automaton != NULL || workload->traits.proven_by_count ||
        workload->traits.is_rounded) {
        return;
    }
    const size_t bytes = td_element_bytes(workload->element);
    const uint64_t count = td_workload_output_elements(workload, &b->run.problem);
    const uint64_t cells = td_workload_cells(workload, &b->run.problem);
    const uint64_t padding = b->run.problem.layout == TD_BLOCKED ? count - cells : 0; /* nobody's */
    uint64_t blind = !passes(b);
    for (uint64_t e = 0; e < count; e++) {
        for (int64_t way = -1; way <= 1; way += 2) {
            spoil.at = (uint8_t *)b->buffers.output[0].output + e * bytes;
            spoil.bytes = bytes;
            spoil.by = way * (2 * (int64_t)workload->ulp + 1);
            spoil.visits = workload->traits.counts_visits;
            blind += passes(b);
        }
    }
    if (blind != 2 * padding) {
        fail_msg("%s: %llu of %llu elements off by one are let pass", name,
                 (unsigned long long)blind, (unsigned long long)(2 * count));
    }
}

/* ---- states: verification may ignore only bits that are in no cell ---- */

static void wrong_bit_of_a_state_is_refused(bench *b, const char *name)
{
    const td_workload *workload = b->run.workload;
    const td_problem *problem = &b->run.problem;
    /* its cells, of one byte or four */
    _Alignas(4) uint8_t right[4 * 25] = {0}, found[4 * 25] = {0};
    uint64_t blind = 0, refused = 0, beside = 0;
    if (workload->automaton == NULL) {
        return;
    }
    blind += !passes(b);
    uint8_t *output = b->buffers.output[0].output; /* one generation, or two */
    b->buffers.data.output = output;
    b->buffers.data.expected = b->buffers.reference[1];
    td_workload_save(workload, problem, output, right);
    for (uint64_t bit = 0; bit < 8 * b->buffers.output[0].bytes; bit++) {
        td_check_counts counts = {0};
        td_error error;
        output[bit / 8] ^= (uint8_t)(1 << bit % 8);
        td_cpu_ops.check(b->engine, workload, &b->buffers.data, &counts, &error);
        td_workload_save(workload, problem, output, found);
        output[bit / 8] ^= (uint8_t)(1 << bit % 8);
        refused += counts.mismatches > 0;
        beside += counts.touched_outside > 0;
        blind += counts.mismatches == 0 && memcmp(right, found, sizeof right) != 0;
    }
    if (blind > 0 || refused < td_workload_cells(workload, problem)) {
        fail_msg("%s: %llu wrong bits are let pass", name, (unsigned long long)blind);
    }
    /* each of the 5 N - 1 cells around the triangle, where they are stored */
    const uint64_t around = refused / td_workload_cells(workload, problem) * (5 * problem->n - 1);
    if (is_flat_automaton(workload) && strstr(name, "conditional") == NULL && beside < around) {
        fail_msg("%s: life beside the domain is let pass", name);
    }
}

/* ---- missing cells, bytes outside all cells, unchecked cells ---- */

static void every_missing_cell_is_noticed(bench *b, const char *name)
{
    spoil.nothing = true;
    const td_result result = verify(b);
    /* a sum is one number */
    const uint64_t wrong =
        b->run.workload->sum != NULL ? 1 : td_workload_cells(b->run.workload, &b->run.problem);
    if (result.mismatches != wrong || result.verified != TD_VERIFIED_FAIL) {
        fail_msg("%s: %llu of %llu missing cells are noticed", name,
                 (unsigned long long)result.mismatches, (unsigned long long)wrong);
    }
}

static void store_beside_the_output_is_refused(bench *b, const char *name)
{
    size_t blind = 0;
    spoil.visits = b->run.workload->traits.counts_visits;
    spoil.bytes = 1;
    spoil.by = 1;
    for (int i = 0; i < (b->run.workload->automaton != NULL ? 2 : 1); i++) {
        uint8_t *output = b->buffers.output[i].output;
        spoil.at = output - 1;
        blind += passes(b);
        spoil.at = output + b->buffers.output[i].bytes;
        blind += passes(b);
    }
    if (blind > 0) {
        fail_msg("%s: %zu stores beside the output are let pass", name, blind);
    }
}

static void check_that_leaves_a_cell_out_is_refused(bench *b, const char *name)
{
    const td_result whole = verify(b);
    spoil.less = 1;
    const td_result less = verify(b);
    if (whole.checked != td_workload_cells(b->run.workload, &b->run.problem) ||
        (b->run.workload->sum == NULL && strstr(less.reason, "the check compared ") == NULL)) {
        fail_msg("%s: a check that leaves a cell out is believed", name);
    }
}

/* ---- workloads that are verified by counting visits ---- */

static td_result group_result(const td_workload *workload, const td_problem *problem)
{
    const td_protocol protocol = {.samples = 1, .max_time_s = 1, .verify = true};
    const struct spoil wanted = spoil;
    td_result result = {0};
    bench b;
    open_bench(&b, workload, problem);
    spoil = wanted;
    td_group_run(b.engine, &protocol, &(td_group){&b.run, 1}, &(td_observer){0}, &result);
    close_bench(&b);
    td_result_free(&result);
    return result;
}

TEST(visit_too_many_or_too_few_is_refused)
{
    /* nothing; cell 0 once more, and once less; one that is not checked */
    static const struct spoil spoils[] = {{0},
                                          {.visits = true, .bytes = 4, .by = 1},
                                          {.visits = true, .bytes = 4, .by = -1},
                                          {.less = 1}};
    for (size_t w = 0; w < td_workload_count; w++) {
        const td_workload *workload = td_workloads[w];
        for (size_t i = 0; i < COUNT(spoils) && workload->traits.proven_by_count; i++) {
            spoil = spoils[i];
            const td_problem problem = {.n = 20, .seed = 7, .tile = 8};
            const td_result result = group_result(workload, &problem);
            assert_int_equal(result.verified, i == 0 ? TD_VERIFIED_PASS : TD_VERIFIED_FAIL);
            assert_int_equal(result.error, i == 0 ? TD_OK : TD_WRONG);
            assert_int_equal(result.checked + spoil.less, td_workload_cells(workload, &problem));
        }
    }
}

TEST(sum_of_no_cell_is_refused_by_dummy)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const td_workload *dummy = td_workload_find("dummy", dimension);
        const td_problem problem = {.n = 9, .seed = 7, .tile = 8};
        bench b;
        open_bench(&b, dummy, &problem);
        spoil.bytes = 4;
        size_t wrong = 0;
        for (int64_t sum = 0; sum <= 20; sum++) {
            spoil.by = 0;
            verify(&b);
            spoil.by = sum - *(const uint32_t *)b.buffers.output[0].output;
            wrong += passes(&b) != (sum <= 2 * 8);
        }
        close_bench(&b);
        assert_int_equal(wrong, 0);
    }
}

TEST(sum_is_right_to_ten_digits)
{
    static const struct {
        double tolerances;
        bool passes;
    } cases[] = {{0.0, true}, {0.9, true}, {-0.9, true}, {1.1, false}, {-1.1, false}};
    const td_problem problem = {.n = 20, .seed = 7, .tile = 8};
    float input[3 * 22];
    double scale = 0.0;
    bench b;
    size_t wrong = 0;
    td_triplet_fill(&problem, input);
    const double sum = td_triplet_reference(&problem, input, &scale);
    open_bench(&b, td_workload_find("triplet", 3), &problem);
    for (size_t i = 0; i < COUNT(cases); i++) {
        spoil.add = cases[i].tolerances * 1e-10 * scale;
        wrong += passes(&b) != cases[i].passes;
    }
    close_bench(&b);
    assert_int_equal(wrong, 0);
    assert_true(scale >= fabs(sum) && scale < 4.0 * fabs(sum)); /* of these particles */
}

/* ---- a user's points ---- */

TEST(distances_of_a_file_are_right_to_two_units)
{
    static const float points[] = {0.1f, 0.7f, -3.3f, 1e-22f, 2e-22f, 1e-30f, 1e19f};
    const td_problem problem = {.n = COUNT(points), .numbers = points, .tile = 8};
    bench b;
    size_t wrong = 0;
    open_bench(&b, td_workload_find("edm1", 2), &problem);
    wrong += !passes(&b);
    spoil.at = (uint8_t *)b.buffers.output[0].output + 4; /* 0.6 */
    spoil.bytes = 4;
    for (spoil.by = -4; spoil.by <= 4; spoil.by++) {
        wrong += passes(&b) != (spoil.by >= -2 && spoil.by <= 2);
    }
    /* 1e-22: in float32 the square is 7 of the smallest numbers, each of which the root shows */
    spoil.at = (uint8_t *)b.buffers.output[0].output + 4 * (4 * 5 / 2 + 3);
    verify(&b);
    spoil.by = 1 << 22;
    wrong += passes(&b);
    spoil.by = -(1 << 22);
    wrong += passes(&b);
    close_bench(&b);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    td_test_add("element_off_by_one_is_refused", for_each_problem,
                &(each){11, element_off_by_one_is_refused});
    td_test_add("wrong_bit_of_a_state_is_refused", for_each_problem,
                &(each){5, wrong_bit_of_a_state_is_refused});
    td_test_add("every_missing_cell_is_noticed", for_each_problem,
                &(each){40, every_missing_cell_is_noticed});
    td_test_add("store_beside_the_output_is_refused", for_each_problem,
                &(each){13, store_beside_the_output_is_refused});
    td_test_add("check_that_leaves_a_cell_out_is_refused", for_each_problem,
                &(each){13, check_that_leaves_a_cell_out_is_refused});
    return td_tests_run(NULL, NULL);
}
