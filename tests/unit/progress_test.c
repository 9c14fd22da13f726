/* progress_test.c - the estimate of the remaining time. */
#include "test.h"

#include "run/progress.h"

static void the_time_left_is_in_proportion_to_the_cells_left(void **state)
{
    (void)state;
    const td_progress none = {.cells_left = 5.0}, half = {.cells_done = 2.0, .cells_left = 6.0},
                      all = {.cells_done = 8.0};
    assert_true(td_progress_left_s(&none, 1.0) <= 0.0); /* not known yet */
    assert_true(td_progress_left_s(&half, 4.0) == 12.0);
    assert_true(td_progress_left_s(&all, 4.0) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_left_is_in_proportion_to_the_cells_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
