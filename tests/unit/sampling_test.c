/* sampling_test.c - rounds, batches, time budget and energy, on an engine whose clock is made up. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/row.h"
#include "engine/bench/energy.h"
#include "engine/bench/group.h"
#include "engine/core/error.h"
#include "engine/sweep/sweep.h"

/* ---- the cpu engine with a clock of its own: a launch takes what the test says ---- */

struct td_prepared {
    const td_strategy *strategy;
    uint32_t batch;
};

static double launch_ms;
static uint32_t setup;   /* the one at hand, from 1 */
static double slower_ms; /* by which each set-up is slower than the last */
static double cold_ms;   /* of what is launched before the warming up; 0: launch_ms */
static int preparations; /* so far */
static double (*course)(
    uint32_t launches); /* a factor on it, by how many launches there were before; NULL: 1 */
static uint32_t launched;
static bool graphs = true; /* as of a GPU */
static double joules;
static char order[256]; /* a letter a sample, behind the warming up */

static td_status made_up_prepare(td_engine *engine, const td_execution *execution, uint32_t batch,
                                 bool graph, td_prepared **prepared, td_error *error)
{
    (void)engine, (void)graph, (void)error;
    *prepared = malloc(sizeof **prepared);
    assert_non_null(*prepared);
    (*prepared)->strategy = execution->strategy;
    (*prepared)->batch = batch;
    preparations++;
    return TD_OK;
}

static void made_up_discard(td_engine *engine, td_prepared *prepared)
{
    (void)engine;
    free(prepared);
}

static td_status made_up_sample(td_engine *engine, td_prepared *prepared, double *batch_ms,
                                td_error *error)
{
    (void)engine, (void)error;
    const double factor = course != NULL ? course(launched) : 1.0;
    *batch_ms = preparations == 1 && cold_ms > 0.0 ? cold_ms : launch_ms * prepared->batch * factor;
    *batch_ms += slower_ms * setup * prepared->batch;
    launched += prepared->batch;
    joules += 0.5 * prepared->batch; /* half a joule a launch */
    return TD_OK;
}

static size_t isolated_samples;

static td_status made_up_isolated(td_engine *engine, td_prepared *prepared, double *batch_ms,
                                  td_error *error)
{
    isolated_samples += prepared->batch == 1;
    return made_up_sample(engine, prepared, batch_ms, error);
}

static size_t memory_count; /* allocations */

static td_status noted_allocate(td_engine *engine, uint64_t bytes, void **allocated,
                                td_error *error)
{
    memory_count++;
    return td_cpu_ops.allocate(engine, bytes, allocated, error);
}

static const char *no_counter; /* NULL: it can be read */
static double renewed_every_j; /* the counter shows whole multiples of this; 0: everything */

static td_status made_up_energy(td_engine *engine, double *counter, td_error *error)
{
    (void)engine;
    *counter = renewed_every_j > 0.0 ? renewed_every_j * floor(joules / renewed_every_j) : joules;
    return no_counter == NULL ? TD_OK : td_fail(error, TD_FAILED, "%s", no_counter);
}

/* A letter for each sample, in the order in which they are taken: the first of the run's number. */
static void note_sample(void *context, size_t run, const char *phase)
{
    (void)context;
    setup += run == 0 && strcmp(phase, "warm up") == 0;
    if (strcmp(phase, "sample") == 0) {
        const char letter[] = {(char)('a' + (char)run), '\0'};
        strncat(order, letter, sizeof order - strlen(order) - 1);
    }
}

enum { MOST_RUNS = 4 };

/* Runs the first group of a command line; results[] to be released. Returns how many runs it has. */
static size_t run_group(char *strategies, td_protocol protocol, td_result results[MOST_RUNS])
{
    char *argv[] = {"tribench", "-s", strategies, "-n", "64", "--baseline", "none"};
    const td_engine_config config = {.threads = 1};
    const td_observer observer = {.phase = note_sample};
    td_engine_ops ops = td_cpu_ops;
    ops.prepare = made_up_prepare;
    ops.discard = made_up_discard;
    ops.sample = made_up_sample;
    ops.sample_isolated = made_up_isolated;
    ops.allocate = noted_allocate;
    ops.energy_j = made_up_energy;
    ops.can.energy = true;
    ops.can.graphs = graphs;
    td_options options;
    td_sweep sweep;
    td_engine *engine;
    td_error error = {""};
    assert_int_equal(td_options_parse(7, argv, &options, &error), TD_OK);
    assert_int_equal(td_sweep_make(&options, &td_cpu_ops, &sweep, &error), TD_OK);
    assert_int_equal(td_cpu_ops.open(&config, &engine, &error), TD_OK);
    engine->ops = &ops;
    order[0] = '\0';
    preparations = 0;
    setup = 0;
    memory_count = 0;
    isolated_samples = 0;
    memset(results, 0, MOST_RUNS * sizeof *results);
    const size_t count = sweep.groups[0].count;
    assert_true(count <= MOST_RUNS);
    td_group_run(engine, &protocol, &sweep.groups[0], &observer, results);
    td_cpu_ops.close(engine);
    td_sweep_free(&sweep);
    td_options_free(&options);
    return count;
}

static void release(td_result *results, size_t count)
{
    for (size_t r = 0; r < count; r++) {
        td_result_free(&results[r]);
    }
}

static void short_launches_are_sampled_in_batches_of_a_millisecond(void **state)
{
    static const struct {
        double launch_ms;
        uint32_t batch;
    } cases[] = {{0.25, 4}, {0.3, 4}, {1.0, 1}, {5.0, 1}};
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        launch_ms = cases[i].launch_ms;
        const size_t count = run_group("bb", protocol, results);
        const td_result r = results[0];
        const double first_ms = r.sample_count > 0 ? r.sample_ms[0] : 0.0;
        release(results, count);
        assert_int_equal(r.sample_count, 3);
        assert_int_equal(r.batch, cases[i].batch);
        assert_true(first_ms == launch_ms); /* of a launch, not of a batch */
    }
}

/* What the first launches take varies; whether a graph is used must not, or a run has two times. */
static void a_graph_does_not_hang_on_the_first_launch(void **state)
{
    static const struct {
        double cold_ms, launch_ms;
        bool graph;
    } cases[] = {{0.0499, 0.046, true},  {0.0501, 0.046, true}, {0.3, 0.046, true},
                 {0.1, 0.4, true},       {1.5, 0.4, true},      {1.5, 1.2, false},
                 {0.0501, 0.0499, true}, {0.0499, 0.0501, true}};
    const td_protocol protocol = {.samples = 1, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cold_ms = cases[i].cold_ms;
        launch_ms = cases[i].launch_ms;
        release(results, run_group("bb", protocol, results));
        cold_ms = 0.0;
        assert_int_equal(results[0].graph, cases[i].graph);
    }
}

/* Warm-up and samples alike, and no graph that one launch has no need of. */
static void isolated_samples_are_one_launch(void **state)
{
    const td_protocol protocol = {
        .samples = 5, .warmup = 3, .max_time_s = 10, .sampling = TD_SAMPLING_ISOLATED};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 0.01;
    release(results, run_group("bb", protocol, results));
    assert_int_equal(results[0].batch, 1);
    assert_int_equal(results[0].sampling, TD_SAMPLING_ISOLATED);
    assert_false(results[0].graph);
    assert_int_equal(isolated_samples,
                     5 + results[0].warmup - 2); /* two are plain, for their time */
    launch_ms = 0.5;
    release(results, run_group("bb", (td_protocol){.samples = 5, .max_time_s = 10}, results));
    assert_int_equal(results[0].batch, 2);
    assert_int_equal(isolated_samples, 0);
}

/* 10 samples in 3 set-ups are 3, 3 and 4; each has memory of its own, and is warmed up. */
static void samples_are_spread_over_the_setups(void **state)
{
    const td_protocol protocol = {.samples = 10, .warmup = 40, .max_time_s = 10, .setups = 3};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 1.0;
    release(results, run_group("bb", (td_protocol){.samples = 10, .max_time_s = 10}, results));
    const size_t once = memory_count;
    slower_ms = 0.5;
    const size_t count = run_group("bb,ltm", protocol, results);
    slower_ms = 0.0;
    for (size_t r = 0; r < count; r++) {
        static const double expected[] = {1.5, 1.5, 1.5, 2, 2, 2, 2.5, 2.5, 2.5, 2.5};
        static const uint32_t first[] = {0, 3, 6};
        assert_int_equal(results[r].sample_count, 10);
        assert_int_equal(results[r].setups, 3);
        assert_memory_equal(results[r].setup_first, first, sizeof first);
        for (int i = 0; i < 10; i++) {
            assert_true(fabs(results[r].sample_ms[i] - expected[i]) < 1e-9);
        }
        assert_true(results[r].warmup >= 3 * 40);
    }
    release(results, count);
    assert_int_equal(memory_count, 3 * once + 2); /* and what the later ones must not get */
}

static void warming_up_takes_at_least_as_many_launches_as_asked_for(void **state)
{
    const td_protocol protocol = {.samples = 1, .warmup = 100, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 2.0;
    const size_t count = run_group("bb", protocol, results);
    const uint32_t warmup = results[0].warmup;
    release(results, count);
    assert_true(warmup >= 100 && warmup < 120);
}

/* Launches of 10 ms, more asked for than fit: 2 s of them, or twice the time budget. */
static void warming_up_ends_in_time(void **state)
{
    static const struct {
        double max_time_s;
        uint32_t launches;
    } cases[] = {{10, 200}, {0.1, 20}};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 10.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const td_protocol protocol = {
            .samples = 1, .warmup = 100000, .max_time_s = cases[i].max_time_s};
        const size_t count = run_group("bb", protocol, results);
        const uint32_t warmup = results[0].warmup;
        release(results, count);
        assert_true(warmup >= cases[i].launches && warmup < cases[i].launches + 10);
    }
}

static double noisy(uint32_t launches)
{
    return launches / 3 % 2 == 0 ? 1.0 : 1.05;
}

/* Over 60 launches, and then no more. */
static double getting_faster(uint32_t launches)
{
    return launches < 60 ? 3.0 - launches / 30.0 : 1.0;
}

static double getting_slower(uint32_t launches)
{
    return launches < 60 ? 1.0 + launches / 30.0 : 3.0;
}

/* Faster in steps that are larger than the noise of 0.5 % on top of them. */
static double getting_faster_quietly(uint32_t launches)
{
    return getting_faster(launches) * (launches / 3 % 2 == 0 ? 1.0 : 1.005);
}

/* Noise stays, and so is not waited for; what still gets warm is. */
static void warming_up_waits_for_a_trend_and_not_for_noise(void **state)
{
    static const struct {
        double (*course)(uint32_t launches);
        uint32_t least, most;
    } cases[] = {{noisy, 9, 12},
                 {getting_faster, 60, 75},
                 {getting_slower, 60, 75},
                 {getting_faster_quietly, 60, 75}};
    const td_protocol protocol = {.samples = 3, .warmup = 3, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 10.0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        course = cases[i].course;
        launched = 0;
        const size_t count = run_group("bb", protocol, results);
        const uint32_t warmup = results[0].warmup;
        course = NULL;
        release(results, count);
        assert_in_range(warmup, cases[i].least, cases[i].most);
    }
}

static double cold_once(uint32_t launches)
{
    return launches == 0 ? 2.0 : 1.0;
}

/* At most a tenth of 51 samples, unless there is something to wait for. */
static void a_processor_is_warm_after_few_launches(void **state)
{
    static const struct {
        double launch_ms;
        double (*course)(uint32_t launches);
        uint32_t least, most;
    } cases[] = {
        {10.0, NULL, 3, 3},   {10.0, cold_once, 4, 4},        {0.6, NULL, 3, 3},
        {10.0, noisy, 3, 6},  {10.0, getting_faster, 60, 65}, {10.0, getting_slower, 60, 65},
        {0.01, NULL, 0, 200}, {0.01, noisy, 0, 300}};
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    graphs = false;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        launch_ms = cases[i].launch_ms;
        course = cases[i].course;
        launched = 0;
        const size_t count = run_group("bb", protocol, results);
        const uint32_t warmup = results[0].warmup;
        course = NULL;
        release(results, count);
        assert_in_range(warmup, cases[i].least, cases[i].most);
    }
    graphs = true;
}

/* 0.1 s each and 10 ms a launch: ten rounds, whatever the number of runs. */
static void time_budget_is_a_runs(void **state)
{
    const td_protocol protocol = {.samples = 50, .warmup = 1, .max_time_s = 0.1};
    static char *const groups[] = {"bb", "bb,ltm", "bb,ltm,rb,utm"};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 10.0;
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        const size_t count = run_group(groups[g], protocol, results);
        uint32_t least = UINT32_MAX, most = 0;
        for (size_t r = 0; r < count; r++) {
            least = results[r].sample_count < least ? results[r].sample_count : least;
            most = results[r].sample_count > most ? results[r].sample_count : most;
        }
        release(results, count);
        assert_int_equal(least, 10);
        assert_int_equal(most, 10);
    }
}

static void each_round_has_every_run_once_in_an_order_of_its_own(void **state)
{
    enum { ROUNDS = 40, RUNS = 4 };
    td_protocol protocol = {.samples = ROUNDS, .warmup = 1, .max_time_s = 10, .seed = 1};
    td_result results[MOST_RUNS];
    char first[sizeof order];
    size_t at_front[RUNS] = {0}, wrong = 0;
    (void)state;
    launch_ms = 1.0;
    release(results, run_group("bb,ltm,rb,utm", protocol, results));
    memcpy(first, order, sizeof first);
    assert_int_equal(strlen(first), ROUNDS * RUNS);
    for (size_t round = 0; round < ROUNDS; round++) {
        const char *samples = first + round * RUNS;
        for (int r = 0; r < RUNS; r++) {
            wrong += memchr(samples, 'a' + r, RUNS) == NULL;
        }
        at_front[samples[0] - 'a']++;
    }
    assert_int_equal(wrong, 0);
    for (int r = 0; r < RUNS; r++) {
        assert_true(at_front[r] >= 3 && at_front[r] <= 20); /* ten, give or take */
    }
    release(results, run_group("bb,ltm,rb,utm", protocol, results));
    assert_string_equal(order, first);
    protocol.seed = 2;
    release(results, run_group("bb,ltm,rb,utm", protocol, results));
    assert_string_not_equal(order, first);
}

static void energy_is_a_launchs_and_known_of_a_run_by_itself_only(void **state)
{
    const td_protocol protocol = {.samples = 50, .warmup = 1, .max_time_s = 10};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 10.0;
    release(results, run_group("bb", protocol, results));
    assert_true(results[0].energy_j == 0.5);
    release(results, run_group("bb,ltm", protocol, results));
    assert_true(results[0].energy_j < 0.0 && results[1].energy_j < 0.0);
    launch_ms = 1.0; /* 50 ms in all: the counter has hardly ticked */
    release(results, run_group("bb", protocol, results));
    assert_true(results[0].energy_j < 0.0);
}

/* Half a joule a launch: of 10 ms each, and of 0.01 ms, which go in batches. */
static void energy_is_counted_over_two_seconds_of_launches(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 1, .energy = true};
    static const double times_ms[] = {10.0, 0.01, 900.0};
    td_result results[MOST_RUNS];
    (void)state;
    for (size_t i = 0; i < sizeof times_ms / sizeof times_ms[0]; i++) {
        launch_ms = times_ms[i];
        release(results, run_group("bb,ltm", protocol, results));
        for (int r = 0; r < 2; r++) {
            const td_energy *e = &results[r].energy;
            assert_int_equal(e->windows, TD_ENERGY_WINDOWS);
            assert_true(e->seconds >= 2.0 && e->seconds < 6.0);
            assert_true(fabs((double)e->launches * launch_ms / 1e3 - e->seconds) < 1e-6);
            for (uint32_t w = 0; w < e->windows; w++) {
                assert_true(fabs(e->launch_j[w] - 0.5) < 1e-9);
            }
            assert_true(fabs(e->joules - 0.5 * (double)e->launches) < 1e-3);
        }
    }
}

/* A counter that is renewed ten times per second: windows go from one renewal to another. */
static void energy_windows_end_where_the_counter_is_renewed(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 1, .energy = true};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 1.0;
    renewed_every_j = 50.0; /* a hundred launches */
    release(results, run_group("bb", protocol, results));
    renewed_every_j = 0.0;
    assert_int_equal(results[0].energy.windows, TD_ENERGY_WINDOWS);
    for (int w = 0; w < TD_ENERGY_WINDOWS; w++) {
        assert_true(fabs(results[0].energy.launch_j[w] - 0.5) < 0.5 * 0.025);
    }
}

static void a_counter_that_cannot_be_read_is_a_reason_and_no_failure(void **state)
{
    const td_protocol protocol = {.samples = 3, .warmup = 1, .max_time_s = 1, .energy = true};
    td_result results[MOST_RUNS];
    (void)state;
    launch_ms = 1.0;
    no_counter = "not for you";
    release(results, run_group("bb", protocol, results));
    no_counter = NULL;
    assert_int_equal(results[0].status, TD_RUN_OK);
    assert_true(results[0].energy.asked);
    assert_int_equal(results[0].energy.windows, 0);
    assert_string_equal(results[0].energy.reason, "not for you");
    renewed_every_j = 1e9;
    release(results, run_group("bb", protocol, results));
    renewed_every_j = 0.0;
    assert_int_equal(results[0].energy.windows, 0);
    assert_non_null(strstr(results[0].energy.reason, "does not change"));
    release(results, run_group("bb", (td_protocol){.samples = 3, .max_time_s = 1}, results));
    assert_false(results[0].energy.asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_launches_are_sampled_in_batches_of_a_millisecond),
        cmocka_unit_test(a_graph_does_not_hang_on_the_first_launch),
        cmocka_unit_test(isolated_samples_are_one_launch),
        cmocka_unit_test(samples_are_spread_over_the_setups),
        cmocka_unit_test(warming_up_takes_at_least_as_many_launches_as_asked_for),
        cmocka_unit_test(warming_up_ends_in_time),
        cmocka_unit_test(warming_up_waits_for_a_trend_and_not_for_noise),
        cmocka_unit_test(a_processor_is_warm_after_few_launches),
        cmocka_unit_test(time_budget_is_a_runs),
        cmocka_unit_test(each_round_has_every_run_once_in_an_order_of_its_own),
        cmocka_unit_test(energy_is_a_launchs_and_known_of_a_run_by_itself_only),
        cmocka_unit_test(energy_is_counted_over_two_seconds_of_launches),
        cmocka_unit_test(energy_windows_end_where_the_counter_is_renewed),
        cmocka_unit_test(a_counter_that_cannot_be_read_is_a_reason_and_no_failure),
    };
    return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
