/* verdicts_test.c - the checks' verdict on one element: right, or wrong by the smallest error, and its size. */
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

/* That of generated points to the bit, that of points in a file to two ulp. */
static void distance_is_as_right_as_it_can_be(void **state)
{
    const float more = nextafterf(3, 4), two_more = nextafterf(more, 4);
    const float less = nextafterf(3, 0), two_less = nextafterf(less, 0);
    const struct {
        float found;
        uint32_t ulps;
        bool ok;
    } cases[] = {{3, 0, true},
                 {more, 0, false},
                 {less, 0, false},
                 {two_more, 2, true},
                 {two_less, 2, true},
                 {nextafterf(two_more, 4), 2, false},
                 {nextafterf(two_less, 0), 2, false},
                 {2.5f, 0, false},
                 {4, 2, false}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_verdict verdict = verdict_of_edm(cases[i].found, cases[i].ulps);
        assert_int_equal(verdict.ok, cases[i].ok);
        assert_true(verdict.error == fabs((double)cases[i].found - 3.0));
    }
}

static void distance_below_zero_or_no_number_is_wrong(void **state)
{
    const float points[N] = {5, 5, 5};
    const float wrong[] = {-0.0f, -1e-45f, -3, NAN, INFINITY, -INFINITY};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        float output[N * (N + 1) / 2] = {0};
        td_data data = {.n = N, .params = {2}, .input = points, .output = output};
        assert_true(td_edm1_check(&data, 1, 0).ok);
        output[1] = wrong[i];
        assert_false(td_edm1_check(&data, 1, 0).ok);
        assert_false(verdict_of_edm(wrong[i], 2).ok);
    }
}

static void a_cell_is_visited_once_and_holds_one(void **state)
{
    (void)state;
    for (int value = -1; value < 5; value++) {
        const td_verdict covered = td_cover_verdict((uint32_t)value);
        const td_verdict written = td_write_verdict(value);
        assert_int_equal(covered.ok, value == 1);
        assert_int_equal(written.ok, value == 1);
        assert_true(covered.error == fabs((double)(uint32_t)value - 1.0));
        assert_true(written.error == fabs(value - 1.0));
    }
}

static void place_that_nobody_wrote_is_wrong(void **state)
{
    uint32_t sum;
    td_data data = {.n = N, .output = &sum};
    (void)state;
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

/* An element says whether its pair touches. Only touching pairs are found, and only 0 and 1 are right. */
static void pair_is_found_where_it_touches(void **state)
{
    const float spheres[N * 4] = {0, 0, 0, 1, /**/ 0, 0, 2, 1, /**/ 0, 0, 5, 1};
    uint8_t output[N] = {1, 0, 0}; /* pairs (1, 0), (2, 0), (2, 1) */
    td_data data = {.n = N, .input = spheres, .output = output};
    (void)state;
    assert_true(td_collision_check(&data, 1, 0).ok);
    assert_int_equal(td_collision_check(&data, 1, 0).found, 1);
    assert_true(td_collision_check(&data, 2, 0).ok && td_collision_check(&data, 2, 1).ok);
    assert_int_equal(td_collision_check(&data, 2, 0).found, 0);
    memset(output, td_workload_poison(&td_collision_workload), sizeof output);
    assert_false(td_collision_check(&data, 1, 0).ok);
    assert_int_equal(td_collision_check(&data, 1, 0).found, 0);
    memset(output, 1, sizeof output);
    assert_false(td_collision_check(&data, 2, 0).ok);
}

/* If all right values are the same, no run shows that a check looks in the wrong place. */
static void place_of_a_cell_is_the_documented_one(void **state)
{
    enum { SIDE = 40 };
    td_data packed = {.n = SIDE}, full = {.n = SIDE, .full = 1};
    uint64_t next = 0, wrong = 0;
    (void)state;
    for (uint64_t row = 0; row < SIDE; row++) {
        for (uint64_t col = 0; col <= row; col++, next++) {
            wrong += td_place_2d(&packed, row, col) != next;
            wrong += td_place_2d(&full, row, col) != SIDE * row + col;
        }
    }
    next = 0;
    for (uint64_t z = 0; z < SIDE; z++) {
        for (uint64_t y = 0; y <= z; y++) {
            for (uint64_t x = 0; x + y <= z; x++, next++) {
                wrong += td_place_3d(&packed, x, y, z) != next;
                wrong += td_place_3d(&full, x, y, z) != SIDE * (SIDE * z + y) + x;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_as_right_as_it_can_be),
        cmocka_unit_test(distance_below_zero_or_no_number_is_wrong),
        cmocka_unit_test(a_cell_is_visited_once_and_holds_one),
        cmocka_unit_test(place_that_nobody_wrote_is_wrong),
        cmocka_unit_test(pair_is_found_where_it_touches),
        cmocka_unit_test(place_of_a_cell_is_the_documented_one),
    };
    return cmocka_run_group_tests_name("verdicts", tests, NULL, NULL);
}
