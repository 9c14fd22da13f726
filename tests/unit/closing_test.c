/* closing_test.c - the closing words: the fastest strategy, and the N without a clear winner. */
#include "test.h"

#include <string.h>

#include "engine/engine.h"
#include "run/closing.h"

static const td_engine_ops device = {.name = "made up", .can = {.device_memory = true}};

/* Six samples around a median; their interval goes from the smallest to the largest. */
static void add_one(td_closing *closing, const char *strategy, uint32_t n, double low, double high,
                    td_verified verified)
{
    const td_workload *workload = td_workload_find("dummy", 2);
    double samples[] = {low, low, low, high, high, high};
    const td_run run = {.strategy = td_strategy_find(strategy),
                        .workload = workload,
                        .engine = &device,
                        .problem = {.n = n},
                        .block = {16, 16, 1},
                        .tile = 16};
    const td_result result = {
        .status = TD_RUN_OK, .verified = verified, .sample_ms = samples, .sample_count = 6};
    td_closing_add(closing, &run, &result);
}

static void add(td_closing *closing, const char *strategy, uint32_t n, double low, double high)
{
    add_one(closing, strategy, n, low, high, TD_VERIFIED_PASS);
}

static void expect(td_closing *closing, const char *words, const char *absent)
{
    td_text text = {0};
    td_closing_print(closing, 1.0, 0, &text);
    const bool said = strstr(text.data, words) != NULL;
    const bool quiet = absent == NULL || strstr(text.data, absent) == NULL;
    if (!said || !quiet) {
        print_message("%s", text.data);
    }
    td_text_free(&text);
    td_closing_free(closing);
    assert_true(said && quiet);
}

static void the_fastest_wins_where_its_interval_is_below_the_others(void **state)
{
    td_closing closing = {.wanted = true};
    (void)state;
    add(&closing, "bb", 64, 2.0, 2.1);
    add(&closing, "rb-b", 64, 1.0, 1.1);
    expect(&closing, " rb-b\n", "no clear winner");
}

/* Wrong output can be fast. */
static void what_was_not_verified_is_not_recommended(void **state)
{
    td_closing closing = {.wanted = true};
    (void)state;
    add(&closing, "bb", 64, 2.0, 2.1);
    add(&closing, "rb-b", 64, 1.0, 1.1);
    add_one(&closing, "utm", 64, 0.5, 0.6, TD_VERIFIED_NONE);
    expect(&closing, " rb-b\n", "utm");
}

static void noisy_times_are_counted(void **state)
{
    td_closing closing = {.wanted = true};
    (void)state;
    add(&closing, "bb", 64, 1.0, 1.2);
    add(&closing, "rb-b", 64, 1.0, 1.05);
    expect(&closing, "  1 of the times are noisy", NULL);
}

static void nobody_wins_where_intervals_meet(void **state)
{
    td_closing closing = {.wanted = true};
    (void)state;
    add(&closing, "bb", 64, 1.0, 1.2);
    add(&closing, "rb-b", 64, 1.1, 1.3);
    add(&closing, "utm", 64, 5.0, 5.1);
    expect(&closing, "no clear winner: bb, rb-b\n", "utm");
}

static void less_than_a_percent_is_no_reason_to_choose(void **state)
{
    td_closing closing = {.wanted = true};
    (void)state;
    add(&closing, "bb", 64, 1.005, 1.0051);
    add(&closing, "rb-b", 64, 1.0, 1.0001);
    expect(&closing, "no clear winner: rb-b, bb\n", NULL);
}

/* A strategy that stays among the fastest has one line. */
static void a_reign_goes_on_with_those_that_stay_in_front(void **state)
{
    td_closing closing = {.wanted = true};
    (void)state;
    add(&closing, "bb", 64, 1.0, 1.2);
    add(&closing, "rb-b", 64, 1.1, 1.3);
    add(&closing, "bb", 128, 3.0, 3.1);
    add(&closing, "rb-b", 128, 2.0, 2.1);
    add(&closing, "bb", 256, 4.0, 4.1);
    add(&closing, "rb-b", 256, 5.0, 5.1);
    expect(&closing,
           "  dummy      2D  64..128               2.05  16x16            rb-b\n"
           "  dummy      2D  256                   4.05  16x16            bb\n",
           "no clear winner");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_wins_where_its_interval_is_below_the_others),
        cmocka_unit_test(what_was_not_verified_is_not_recommended),
        cmocka_unit_test(noisy_times_are_counted),
        cmocka_unit_test(nobody_wins_where_intervals_meet),
        cmocka_unit_test(less_than_a_percent_is_no_reason_to_choose),
        cmocka_unit_test(a_reign_goes_on_with_those_that_stay_in_front),
    };
    return cmocka_run_group_tests_name("closing", tests, NULL, NULL);
}
