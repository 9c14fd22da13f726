/* floats_test.c - automata on floats: their errors, and the ends of the range of numbers. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "trial.h"
#include "variants.h"
#include "workloads/workloads.h"

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

/* The error is not just 1, as it is for live and dead cells. */
TEST(error_is_the_difference_of_two_floats)
{
    td_problem problem = packed(&td_dog_workload);
    const char *why;
    trial t;
    float cells[CELLS];
    open_trial(td_workload_variant(&td_dog_workload, &problem, &why), &problem, "ltm-i", &t);
    memcpy(cells, td_buffers_result(&t.buffers), sizeof cells);
    cells[N] += 0.25f;
    const td_check_counts counts = check_of(&t, cells);
    close_trial(&t);
    assert_int_equal(counts.mismatches, 1);
    assert_true(fabs(counts.max_abs_error - 0.25) <= 0.0);
}

/* Zeros have signs, underflow keeps the sign, and sums of the largest accepted numbers are finite. */
TEST(numbers_at_the_ends_of_their_range_are_computed_alike)
{
    static const float values[] = {-0.0f, 0.0f, 1.4e-45f, -1.4e-45f, 1e37f, -1e37f, 1.0f};
    static const td_workload *const workloads[] = {&td_blur_workload, &td_dog_workload,
                                                   &td_extrema_workload, &td_water_workload};
    float image[N * N];
    size_t wrong = 0;
    for (uint32_t k = 0; k < 4 * 2 * 5; k++) {
        td_problem problem = packed(workloads[k % 4]);
        const bool square = k / 4 % 2 != 0;
        const char *why;
        trial t;
        for (uint32_t i = 0; i < N * N; i++) { /* all the same, then random */
            image[i] = values[k / 8 < 3 ? 2 * (k / 8) : td_random_bits(5, k, i) % (3 + k / 8)];
        }
        problem.numbers = image;
        set_parameter(workloads[k % 4], &problem, "domain", square ? "square" : "triangle");
        set_parameter(workloads[k % 4], &problem, "steps", "5");
        open_trial(td_workload_variant(workloads[k % 4], &problem, &why), &problem, "bb", &t);
        wrong += t.result.verified != TD_VERIFIED_PASS;
        close_trial(&t);
    }
    assert_int_equal(wrong, 0);
}
