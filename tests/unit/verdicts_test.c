/* verdicts_test.c - the checks' verdict on one element: values that no run has, and the size of an error.
 * refusal_test.c has the smallest error in each element. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "workloads/workloads.h"

enum { N = 3 };

/* Points 0, 1 and 3: distances 1, 3 and 2. */
static td_verdict verdict_of_edm(float found, uint32_t ulps)
{
    const float points[N] = {0, 1, 3};
    float output[N * (N + 1) / 2] = {0, 1, 0, 3, 2, 0};
    td_data data = {.n = N, .params = {ulps}, .input = points, .output = output};
    output[3] = found; /* the distance of points 2 and 0 */
    return td_edm1_check(&data, 2, 0);
}

TEST(distance_below_zero_or_no_number_is_wrong)
{
    const float points[N] = {5, 5, 5};
    const float wrong[] = {-0.0f, -1e-45f, -3, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        float output[N * (N + 1) / 2] = {0};
        td_data data = {.n = N, .params = {2}, .input = points, .output = output};
        assert_true(td_edm1_check(&data, 1, 0).ok);
        output[1] = wrong[i];
        assert_false(td_edm1_check(&data, 1, 0).ok);
        assert_false(verdict_of_edm(wrong[i], 2).ok);
    }
    assert_true(verdict_of_edm(2.5f, 0).error == 0.5);
}

TEST(place_that_nobody_wrote_is_wrong)
{
    uint32_t sum;
    td_data data = {.n = N, .output = &sum};
    sum = 2 * (N - 1);
    assert_true(td_dummy_check(&data, 0, 0).ok);
    sum = 2 * (N - 1) + 1;
    assert_false(td_dummy_check(&data, 0, 0).ok);
    memset(&sum, td_workload_poison(&td_dummy_workload), sizeof sum);
    assert_false(td_dummy_check(&data, 0, 0).ok);
    data.n = 1 << 20; /* the largest N */
    assert_false(td_dummy_check(&data, 0, 0).ok);
    memset(&sum, td_workload_poison(&td_dummy3_workload), sizeof sum);
    assert_false(td_dummy3_check(&data, 0, 0, 0).ok);
}
