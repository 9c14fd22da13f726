/* progress_test.c - the estimate of the remaining time. */
#include "test.h"

#include "run/progress.h"

static bool near(double a, double b)
{
    return a > b * 0.999 && a < b * 1.001;
}

static void nothing_is_guessed_from_nothing(void **state)
{
    (void)state;
    const td_pace none = {0};
    assert_true(td_pace_guess(&none, 10.0, 1e9) <= 0.0);
}

static void equal_runs_take_their_mean(void **state)
{
    (void)state;
    td_pace pace = {0};
    td_pace_add(&pace, 100.0, 3.0);
    td_pace_add(&pace, 100.0, 0.0); /* the runs of a group end together */
    assert_true(near(td_pace_guess(&pace, 4.0, 400.0), 6.0));
}

static void larger_runs_take_longer(void **state)
{
    (void)state;
    td_pace pace = {0};
    td_pace_add(&pace, 1e6, 1.0 + 0.1);
    td_pace_add(&pace, 4e6, 1.0 + 0.4);
    assert_true(near(td_pace_guess(&pace, 2.0, 20e6), 2.0 + 2.0));
}

static void noise_never_makes_it_negative(void **state)
{
    (void)state;
    td_pace falling = {0}, steep = {0};
    td_pace_add(&falling, 1e6, 2.0);
    td_pace_add(&falling, 4e6, 1.0);
    assert_true(near(td_pace_guess(&falling, 2.0, 1e9), 3.0));
    td_pace_add(&steep, 1e6, 0.1);
    td_pace_add(&steep, 2e6, 0.9);
    assert_true(near(td_pace_guess(&steep, 1.0, 3e6), 1.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_guessed_from_nothing),
        cmocka_unit_test(equal_runs_take_their_mean),
        cmocka_unit_test(larger_runs_take_longer),
        cmocka_unit_test(noise_never_makes_it_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
