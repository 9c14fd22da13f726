/*
 * floats_test.c - automata on floats: every technique at awkward sizes, mutated computations, and the total of water.
 */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/io/automaton_state.h"
#include "engine/prepare/execution.h"
#include "engine/prepare/planning.h"
#include "engine/bench/verify.h"
#include "variants.h"
#include "workloads/workloads.h"

/* A run on the cpu engine, verified; its buffers stay open. */
typedef struct trial {
    td_engine *engine;
    td_buffers buffers;
    td_result result;
} trial;

static void open_trial(const td_workload *workload, const td_problem *problem, const char *strategy,
                       trial *t)
{
    const td_engine_config config = {.threads = 2};
    td_error error = {""};
    td_plan plan = {0};
    td_run run = {.strategy = td_strategy_find(strategy),
                  .workload = workload,
                  .engine = &td_cpu_ops,
                  .problem = *problem,
                  .tile = 32,
                  .tiled = td_workload_only_tiles(workload) != NULL};
    run.block = (td_dim3){32, 32, 1};
    memset(t, 0, sizeof *t);
    td_status status = td_cpu_ops.open(&config, &t->engine, &error);
    status = status == TD_OK ? td_run_plan(&run, false, &plan, &error) : status;
    status = status == TD_OK ? td_buffers_open(t->engine, workload, problem, &t->buffers, &error)
                             : status;
    if (status == TD_OK) {
        const td_execution execution = td_execution_of(&t->buffers, &run, &plan);
        status = td_verify(&t->buffers, &execution, &t->result, &error);
    }
    if (status != TD_OK || t->result.verified != TD_VERIFIED_PASS) {
        print_message("%s/%u N=%u %s: %s%s\n", workload->name, td_workload_id(workload), problem->n,
                      strategy, error.text, t->result.reason);
    }
    td_plan_free(&plan);
}

static void close_trial(trial *t)
{
    td_buffers_close(&t->buffers);
    td_cpu_ops.close(t->engine);
}

static bool is_float_automaton(const td_workload *workload)
{
    return workload->automaton != NULL && workload->automaton->state_bytes > 0;
}

/* On the cpu engine, all techniques with rows on cache lines run the same cell function. */
static bool is_same_cell(const td_workload *workload)
{
    return td_workload_only_tiles(workload) != NULL &&
           strcmp(td_workload_only_tiles(workload), "--memory aligned") != 0;
}

/* ---- every technique ---- */

static void floats_agree_at_sizes_that_hurt(void **state)
{
    static const uint32_t sizes[] = {1, 2, 15, 16, 17, 100, 1000, 2049};
    variant all[MOST_VARIANTS];
    const size_t count = all_variants(all);
    size_t wrong = 0, variants = 0;
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const td_workload *workload = all[i].workload;
        variants += is_float_automaton(workload);
        for (size_t k = 0; k < 16 && is_float_automaton(workload); k++) {
            const bool square = k % 2 != 0, is_large = sizes[k / 2] > 100;
            td_problem problem = all[i].problem;
            trial t;
            problem.n = sizes[k / 2];
            problem.seed = k;
            set_parameter(workload, &problem, "steps", is_large ? "1" : "3");
            set_parameter(workload, &problem, "rain", "0.5");
            set_parameter(workload, &problem, "domain", square ? "square" : "triangle");
            if (is_large && (square || is_same_cell(workload))) {
                continue;
            }
            open_trial(workload, &problem, square ? "bb" : "ltm-i", &t);
            wrong += t.result.verified != TD_VERIFIED_PASS;
            close_trial(&t);
        }
    }
    assert_int_equal(variants, 8 + 14 + 7 + 8);
    assert_int_equal(wrong, 0);
}

/* ---- mutations: an error in one weight, sign or neighbour is detected ---- */

enum { N = 40, CELLS = N * (N + 1) / 2 };

/* A problem of the packed storage, one step. */
static td_problem packed(const td_workload *workload)
{
    td_problem problem = {.n = N, .seed = 5};
    td_parameters_preset(workload, problem.parameters);
    set_parameter(workload, &problem, "memory", "conditional");
    set_parameter(workload, &problem, "cell", strcmp(workload->name, "dog") == 0 ? "f32" : "auto");
    set_parameter(workload, &problem, "steps", "1");
    set_parameter(workload, &problem, "rain", "0.01"); /* so little that cells give it all */
    return problem;
}

static td_check_counts check_of(const trial *t, const void *output)
{
    td_check_counts counts = {0};
    td_error error;
    td_data data = t->buffers.data;
    data.output = (void *)(uintptr_t)output;
    data.expected = t->buffers.reference[1];
    t->engine->ops->check(t->engine, t->buffers.workload, &data, &counts, &error);
    return counts;
}

/* A change of the neighbourhood w before next() is called, which must give wrong cells. */
typedef void mutate_fn(uint32_t *w, uint32_t which);

static uint64_t wrong_cells(const trial *t, td_next_fn *next, uint32_t ring, uint32_t planes,
                            mutate_fn *mutate, uint32_t which)
{
    const td_data *data = &t->buffers.data;
    const td_kind own = {.bytes = 4,
                         .planes = planes,
                         .ring = ring,
                         .saved_bytes = 4,
                         .outside = ring == 2 ? 0x7f800000u : 0};
    const bool is_byte = t->buffers.workload->automaton->saved == TD_U8;
    uint32_t *words = calloc(CELLS, 4);
    uint8_t *bytes = calloc(CELLS, 1);
    for (uint32_t row = 0; row < N; row++) {
        for (uint32_t col = 0; col <= row; col++) {
            uint32_t w[TD_WINDOW_MOST];
            const uint32_t side = 2 * ring + 1;
            for (uint32_t k = 0; k < side * side * planes; k++) {
                const uint32_t at = k % (side * side);
                w[k] = td_cell_if_inside(data, row + at / side - ring, col + at % side - ring,
                                         k / (side * side), own);
            }
            mutate(w, which);
            words[td_triangle(row) + col] = next(data, w, row, col);
            bytes[td_triangle(row) + col] = (uint8_t)words[td_triangle(row) + col];
        }
    }
    const void *output = is_byte ? (const void *)bytes : (const void *)words;
    const uint64_t wrong = check_of(t, output).mismatches;
    free(words);
    free(bytes);
    return wrong;
}

static void leave(uint32_t *w, uint32_t which)
{
    (void)w;
    (void)which;
}

/* Gives one cell another weight. */
static void weigh(uint32_t *w, uint32_t which)
{
    w[which] = td_element_of(td_float_of(w[which]) * 1.0625f);
}

static void negate(uint32_t *w, uint32_t which)
{
    w[which] = td_element_of(-td_float_of(w[which]));
}

/* Raises a cell above all others. */
static void raise_cell(uint32_t *w, uint32_t which)
{
    w[which] = td_element_of(2.0f);
}

/* Turns a neighbour of water into a wall. */
static void wall(uint32_t *w, uint32_t which)
{
    w[which] = 0;
    w[25 + which] = 0x7f800000u;
}

static void mutations_are_seen(void **state)
{
    static const struct {
        const td_workload *workload;
        td_next_fn *next;
        uint32_t ring, planes, first, end;
        mutate_fn *mutate;
    } cases[] = {
        {&td_blur_workload, td_blur_next, 1, 1, 0, 9, weigh},
        {&td_blur_workload, td_blur_next, 1, 1, 0, 9, negate},
        {&td_dog_workload, td_dog_next, 1, 2, 4, 5, negate},
        {&td_dog_workload, td_dog_next, 1, 2, 13, 14, negate},
        {&td_extrema_workload, td_extrema_next, 1, 3, 0, 27, raise_cell},
        {&td_water_workload, td_water_next, 2, 2, 0, 25, wall},
    };
    size_t blind = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        td_problem problem = packed(cases[i].workload);
        const char *why;
        const td_workload *workload = td_workload_variant(cases[i].workload, &problem, &why);
        trial t;
        open_trial(workload, &problem, "ltm-i", &t);
        blind += wrong_cells(&t, cases[i].next, cases[i].ring, cases[i].planes, leave, 0) != 0;
        for (uint32_t k = cases[i].first; k < cases[i].end; k++) {
            const bool seen = wrong_cells(&t, cases[i].next, cases[i].ring, cases[i].planes,
                                          cases[i].mutate, k) > 0;
            if (!seen) {
                print_message("%s: element %u\n", workload->name, k);
            }
            blind += !seen;
        }
        close_trial(&t);
    }
    assert_int_equal(blind, 0);
}

/* The error is not just 1, as it is for live and dead cells. */
static void error_is_the_difference_of_two_floats(void **state)
{
    td_problem problem = packed(&td_dog_workload);
    const char *why;
    trial t;
    float cells[CELLS];
    (void)state;
    open_trial(td_workload_variant(&td_dog_workload, &problem, &why), &problem, "ltm-i", &t);
    memcpy(cells, td_buffers_result(&t.buffers), sizeof cells);
    cells[N] += 0.25f;
    const td_check_counts counts = check_of(&t, cells);
    close_trial(&t);
    assert_int_equal(counts.mismatches, 1);
    assert_true(fabs(counts.max_abs_error - 0.25) <= 0.0);
}

/* ---- water ---- */

static double total(const trial *t)
{
    float depths[CELLS];
    double sum = 0.0;
    td_error error;
    td_state_download(&t->buffers, td_buffers_result(&t->buffers), depths, &error);
    for (size_t i = 0; i < CELLS; i++) {
        assert_true(depths[i] >= 0.0f);
        sum += depths[i];
    }
    return sum;
}

static double total_after(const char *steps, const char *rain, const char *infiltration)
{
    td_problem problem = packed(&td_water_workload);
    const char *why;
    trial t;
    set_parameter(&td_water_workload, &problem, "steps", steps);
    set_parameter(&td_water_workload, &problem, "rain", rain);
    set_parameter(&td_water_workload, &problem, "infiltration", infiltration);
    open_trial(td_workload_variant(&td_water_workload, &problem, &why), &problem, "ltm-i", &t);
    const double sum = total(&t);
    close_trial(&t);
    return sum;
}

/* The sum changes by rain less infiltration; flow loses nothing. */
static void water_keeps_its_total(void **state)
{
    (void)state;
    assert_true(fabs(total_after("1", "0.5", "0") - 0.5 * (double)CELLS) <= 1e-4);
    assert_true(fabs(total_after("200", "0.5", "0") - 100.0 * (double)CELLS) <= 1e-2);
    assert_true(fabs(total_after("1", "0.5", "0.125") - 0.375 * (double)CELLS) <= 1e-4);
    assert_true(fabs(total_after("50", "0.125", "0.25") - 0.0) <= 0.0); /* dry, not negative */
}

/* The water flows: after a while, most of it is in a few cells. */
static void water_gathers_in_valleys(void **state)
{
    td_problem problem = packed(&td_water_workload);
    const char *why;
    trial t;
    float depths[CELLS];
    size_t dry = 0, deep = 0;
    td_error error;
    (void)state;
    set_parameter(&td_water_workload, &problem, "steps", "200");
    set_parameter(&td_water_workload, &problem, "rain", "0.001");
    set_parameter(&td_water_workload, &problem, "infiltration", "0");
    open_trial(td_workload_variant(&td_water_workload, &problem, &why), &problem, "ltm-i", &t);
    td_state_download(&t.buffers, td_buffers_result(&t.buffers), depths, &error);
    for (size_t i = 0; i < CELLS; i++) {
        dry += depths[i] < 0.1f;
        deep += depths[i] > 0.4f;
    }
    close_trial(&t);
    assert_true(dry > CELLS / 2);
    assert_true(deep > 0);
}

/* ---- images ---- */

/* The state of a workload after `steps` on an image, in its packed storage; the caller frees it. */
static float *state_on(const td_workload *workload, const float *image, const char *domain,
                       const char *steps)
{
    td_problem problem = packed(workload);
    const char *why;
    trial t;
    td_error error;
    set_parameter(workload, &problem, "domain", domain);
    set_parameter(workload, &problem, "steps", steps);
    problem.image = image;
    open_trial(td_workload_variant(workload, &problem, &why), &problem, "bb", &t);
    float *found = malloc(td_workload_saved_bytes(t.buffers.workload, &problem));
    td_state_download(&t.buffers, td_buffers_result(&t.buffers), found, &error);
    close_trial(&t);
    return found;
}

/* True if all 17 x 17 pixels around a cell are in the domain. Outside pixels affect blur at every step. */
static bool is_far_inside(bool square, uint32_t row, uint32_t col)
{
    return row >= 8 && col >= 8 && row + 8 < N && col + 8 < (square ? N : row - 7);
}

/* The generated planes of extrema: the image after 1, 2 and 4 steps of blur, less the image after twice as many. In
 * float, the last plane is not exact. */
static size_t wrong_planes(const float *image, bool square, float *const blurred[5])
{
    const char *domain = square ? "square" : "triangle";
    size_t seen = 0;
    td_problem problem = packed(&td_extrema_workload);
    const char *why;
    size_t wrong = 0;
    set_parameter(&td_extrema_workload, &problem, "domain", domain);
    problem.image = image;
    const td_workload *workload = td_workload_variant(&td_extrema_workload, &problem, &why);
    float *planes = malloc(td_workload_state_bytes(workload, &problem));
    td_workload_start(workload, &problem, planes);
    for (uint32_t row = 0; row < N; row++) {
        for (uint32_t col = 0; col < (square ? N : row + 1); col++) {
            const uint64_t k = td_state_row(square, N, row) + col;
            seen += is_far_inside(square, row, col);
            for (uint32_t p = 0; p < 3 && is_far_inside(square, row, col); p++) {
                const float expected = blurred[p + 1][k] - blurred[p + 2][k];
                wrong += fabsf(planes[3 * k + p] - expected) > (p < 2 ? 0.0f : 1e-4f);
            }
        }
    }
    free(planes);
    return seen > 10 ? wrong : 1;
}

/* blur starts from the image; dog subtracts the blurred image from it. */
static void images_are_where_they_start(void **state)
{
    static const char *const steps[] = {"0", "1", "2", "4", "8"};
    float image[N * N];
    size_t wrong = 0;
    (void)state;
    for (uint32_t k = 0; k < N * N; k++) {
        image[k] = (float)(k * 37 % 256);
    }
    for (int square = 0; square < 2; square++) {
        const char *domain = square != 0 ? "square" : "triangle";
        float *difference = state_on(&td_dog_workload, image, domain, "1");
        float *blurred[5];
        for (int k = 0; k < 5; k++) {
            blurred[k] = state_on(&td_blur_workload, image, domain, steps[k]);
        }
        for (uint32_t row = 0; row < N; row++) {
            for (uint32_t col = 0; col < (square != 0 ? N : row + 1); col++) {
                const uint64_t at = td_state_row(square != 0, N, row) + col;
                wrong += blurred[0][at] != image[row * N + col];
                wrong += difference[at] != image[row * N + col] - blurred[1][at];
            }
        }
        wrong += wrong_planes(image, square != 0, blurred);
        for (int k = 0; k < 5; k++) {
            free(blurred[k]);
        }
        free(difference);
    }
    assert_int_equal(wrong, 0);
}

/* Zeros have signs, underflow keeps the sign, and sums of the largest accepted numbers are finite. */
static void numbers_at_the_ends_of_their_range_are_computed_alike(void **state)
{
    static const float values[] = {-0.0f, 0.0f, 1.4e-45f, -1.4e-45f, 1e37f, -1e37f, 1.0f};
    static const td_workload *const workloads[] = {&td_blur_workload, &td_dog_workload,
                                                   &td_extrema_workload, &td_water_workload};
    float image[N * N];
    size_t wrong = 0;
    (void)state;
    for (uint32_t k = 0; k < 4 * 2 * 5; k++) {
        td_problem problem = packed(workloads[k % 4]);
        const bool square = k / 4 % 2 != 0;
        const char *why;
        trial t;
        for (uint32_t i = 0; i < N * N; i++) { /* all the same, then random */
            image[i] = values[k / 8 < 3 ? 2 * (k / 8) : td_random_bits(5, k, i) % (3 + k / 8)];
        }
        problem.image = image;
        set_parameter(workloads[k % 4], &problem, "domain", square ? "square" : "triangle");
        set_parameter(workloads[k % 4], &problem, "steps", "5");
        open_trial(td_workload_variant(workloads[k % 4], &problem, &why), &problem, "bb", &t);
        wrong += t.result.verified != TD_VERIFIED_PASS;
        close_trial(&t);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_agree_at_sizes_that_hurt),
        cmocka_unit_test(mutations_are_seen),
        cmocka_unit_test(error_is_the_difference_of_two_floats),
        cmocka_unit_test(water_keeps_its_total),
        cmocka_unit_test(water_gathers_in_valleys),
        cmocka_unit_test(images_are_where_they_start),
        cmocka_unit_test(numbers_at_the_ends_of_their_range_are_computed_alike),
    };
    return cmocka_run_group_tests_name("floats", tests, NULL, NULL);
}
