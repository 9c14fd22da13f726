/* warm_up_test.c - the length of the warm-up, on an engine with a simulated clock. */
#include "test.h"

#include "known_times.h"

static double cold_once(uint32_t launches)
{
    return launches == 0 ? 2.0 : 1.0;
}

static double noisy(uint32_t launches)
{
    return launches / 3 % 2 == 0 ? 1.0 : 1.05;
}

/* Gets faster for 60 launches, then stays constant. */
static double getting_faster(uint32_t launches)
{
    return launches < 60 ? 3.0 - launches / 30.0 : 1.0;
}

static double getting_slower(uint32_t launches)
{
    return launches < 60 ? 1.0 + launches / 30.0 : 3.0;
}

/* Gets faster in steps larger than the added noise of 0.5 %. */
static double getting_faster_quietly(uint32_t launches)
{
    return getting_faster(launches) * (launches / 3 % 2 == 0 ? 1.0 : 1.005);
}

static double slower_once(uint32_t launches)
{
    return launches < 4 ? 1.0 : 1.5;
}

static const struct {
    double launch_ms;
    double (*course)(uint32_t launches);
    bool no_graphs;
    uint32_t warmup; /* asked for */
    double max_time_s;
    uint32_t least, most; /* launches */
} cases[] = {
    {2.0, NULL, false, 100, 10, 100, 119},
    /* more than fit: the warm-up ends after 2 s, or twice the time budget */
    {10.0, NULL, false, 100000, 10, 200, 209},
    {10.0, NULL, false, 100000, 0.1, 20, 29},
    /* it waits for a trend to end, but not for noise, which never does */
    {10.0, noisy, false, 3, 10, 9, 12},
    {10.0, getting_faster, false, 3, 10, 60, 75},
    {10.0, getting_slower, false, 3, 10, 60, 75},
    {10.0, getting_faster_quietly, false, 3, 10, 60, 75},
    /* on a processor a round is one batch: two launches find it, and three rounds follow, unless there is a
              * trend */
    {10.0, NULL, true, 1, 10, 5, 5},
    {10.0, cold_once, true, 1, 10, 5, 5},
    {10.0, slower_once, true, 1, 10, 7, 7},
    {0.6, NULL, true, 1, 10, 8, 8},
    {10.0, noisy, true, 1, 10, 5, 8},
    {10.0, getting_faster, true, 1, 10, 60, 65},
    {10.0, getting_slower, true, 1, 10, 60, 65},
    {0.01, NULL, true, 1, 10, 302, 302},
    {0.01, noisy, true, 1, 10, 302, 402}};

TEST(warming_up_takes_what_was_asked_for_and_ends_in_time)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        const script engine = {.launch_ms = cases[i].launch_ms,
                               .course = cases[i].course,
                               .no_graphs = cases[i].no_graphs};
        const td_protocol protocol = {
            .samples = 3, .warmup = cases[i].warmup, .max_time_s = cases[i].max_time_s};
        assert_in_range(run_one(engine, protocol).warmup, cases[i].least, cases[i].most);
    }
}

/* Two launches find the batch, then come three rounds. Only the group's first run has three launches per round. */
TEST(the_first_run_of_a_group_wakes_the_device)
{
    const td_protocol protocol = {.samples = 1, .warmup = 3, .max_time_s = 10};
    td_result results[MOST_RUNS];
    run_group((script){.launch_ms = 2.0}, "bb,ltm,rb", protocol, results);
    assert_int_equal(results[0].warmup, 2 + 3 * 3);
    assert_int_equal(results[1].warmup, 2 + 3);
    assert_int_equal(results[2].warmup, 2 + 3);
}
