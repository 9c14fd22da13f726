/* summary_test.c - the summary of a sweep: the fastest of each group, ties, how to get it; and the time left. */
#include "test.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "engine/bench/group.h"
#include "engine/engine.h"
#include "run/progress.h"

enum { MOST_GROUPS = 4, MOST_RUNS = 4, SAMPLES = 6 };

static const td_engine_ops device = {.name = "made up", .can = {.device_memory = true}};

typedef struct sweep {
    td_options options;
    td_progress progress;
    td_fastest rows[MOST_GROUPS];
    td_run runs[MOST_GROUPS][MOST_RUNS];
    td_result results[MOST_GROUPS][MOST_RUNS];
    double samples[MOST_GROUPS][MOST_RUNS][SAMPLES];
    size_t counts[MOST_GROUPS], groups;
} sweep;

static void begin(sweep *s)
{
    memset(s, 0, sizeof *s);
    s->options.verbosity = -1;
    s->progress = (td_progress){.options = &s->options, .rows = s->rows};
}

/* Six samples around a median; their interval goes from the smallest to the largest. */
static td_result *add(sweep *s, const char *strategy, uint32_t n, double low, double high)
{
    const size_t g = s->groups, r = s->counts[g]++;
    for (int i = 0; i < SAMPLES; i++) {
        s->samples[g][r][i] = i < SAMPLES / 2 ? low : high;
    }
    s->runs[g][r] = (td_run){.strategy = td_strategy_find(strategy),
                             .workload = td_workload_find("dummy", 2),
                             .engine = &device,
                             .problem = {.n = n},
                             .block = {16, 16, 1},
                             .tile = 16};
    s->results[g][r] = (td_result){.status = TD_RUN_OK,
                                   .verified = TD_VERIFIED_PASS,
                                   .sample_ms = s->samples[g][r],
                                   .sample_count = SAMPLES};
    return &s->results[g][r];
}

static void end_group(sweep *s)
{
    const size_t g = s->groups++;
    const td_group group = {s->runs[g], s->counts[g]};
    td_group_summarise(&group, s->results[g]);
    td_progress_group(&s->progress, &group, s->results[g]);
}

/* words: a pattern that the summary has; absent: words that it does not have */
static void expect(const sweep *s, const char *words, const char *absent)
{
    char *text = NULL;
    size_t size = 0;
    regex_t pattern;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    td_progress_summarise(&s->progress, 1.0, to);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(regcomp(&pattern, words, REG_NOSUB), 0);
    const bool is_right = regexec(&pattern, text, 0, NULL, 0) == 0 &&
                          (absent == NULL || strstr(text, absent) == NULL);
    regfree(&pattern);
    if (!is_right) {
        print_message("%s", text);
    }
    free(text);
    assert_true(is_right);
}

static void a_row_names_the_fastest_and_how_many_tie_with_it(void **state)
{
    static const struct {
        const char *strategy;
        double low, high;
    } runs[][3] = {{{"bb", 2.0, 2.1}, {"rb-b", 1.0, 1.1}},
                   {{"bb", 1.0, 1.2}, {"rb-b", 1.1, 1.3}, {"utm", 5.0, 5.1}}, /* intervals meet */
                   {{"bb", 1.005, 1.0051}, {"rb-b", 1.0, 1.0001}}}; /* less than a percent */
    static const char *const rows[] = {
        "  dummy      2D        64       1.05  rb-b                            -b 16x16\n",
        " bb                    2 of 3 ", " rb-b                  2 of 2 "};
    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        sweep s;
        begin(&s);
        for (size_t r = 0; r < COUNT(runs[i]) && runs[i][r].strategy != NULL; r++) {
            add(&s, runs[i][r].strategy, 64, runs[i][r].low, runs[i][r].high);
        }
        end_group(&s);
        expect(&s, rows[i], i == 0 ? "bb  " : NULL);
    }
}

/* Wrong output can be fast, and what was dropped was not verified. */
static void what_was_not_verified_is_not_recommended(void **state)
{
    sweep s;
    (void)state;
    begin(&s);
    add(&s, "bb", 64, 2.0, 2.1);
    add(&s, "utm", 64, 0.5, 0.6)->verified = TD_VERIFIED_NONE;
    add(&s, "rb", 64, 0.5, 0.6)->status = TD_RUN_DROPPED;
    end_group(&s);
    expect(&s, "3 runs in 1 s: 2 ok, 2 verified, 1 dropped\n", "utm");
}

/* The groups of a search have one map each. */
static void maps_of_one_problem_are_sorted_and_others_keep_their_order(void **state)
{
    static const struct {
        const char *strategy;
        uint32_t n;
        double ms;
    } groups[] = {{"bb", 128, 3.0}, {"rb-b", 128, 2.0}, {"bb", 64, 9.0}, {"rb-b", 64, 1.0}};
    sweep s;
    (void)state;
    begin(&s);
    for (size_t g = 0; g < COUNT(groups); g++) {
        add(&s, groups[g].strategy, groups[g].n, groups[g].ms, groups[g].ms);
        end_group(&s);
    }
    expect(&s,
           " 128          2  rb-b.* 128          3  bb.* 64          1  rb-b.* 64          9  bb",
           NULL);
}

static void the_row_says_how_to_get_the_run(void **state)
{
    sweep s;
    (void)state;
    begin(&s);
    add(&s, "rb-b", 64, 1.0, 1.1)->kernel = TD_KERNEL_TILE;
    s.runs[0][0].tile = 128;
    s.runs[0][0].schedule = TD_SCHEDULE_DYNAMIC;
    end_group(&s);
    expect(&s, " -b 16x16 --tile 128 --kernel tile --schedule dynamic\n", NULL);
}

/* A hundred steps take longer than one launch over as many cells, and no sample is shorter than a millisecond. */
static void the_time_left_is_in_proportion_to_the_work_left(void **state)
{
    static const struct {
        const char *line;
        double least, most; /* left after the first of two groups, which took a second [s] */
    } cases[] = {{"-q -s bb -w edm1,life -n 4096 --steps 100", 5.0, 100.0},
                 {"-q -s bb -w edm1 -n 64,128", 0.5, 2.0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const td_result result = {.status = TD_RUN_OK};
        td_progress p;
        command c;
        make_ok(cases[i].line, &c);
        assert_int_equal(td_progress_start(&p, &c.sweep, &c.options, &c.error), TD_OK);
        const double unknown_s = td_progress_left_s(&p, 1.0);
        td_progress_group(&p, &c.sweep.groups[0], &result);
        const double half_s = td_progress_left_s(&p, 1.0);
        td_progress_group(&p, &c.sweep.groups[1], &result);
        const double none_s = td_progress_left_s(&p, 1.0);
        done(&c);
        assert_true(unknown_s <= 0.0 && none_s < 1e-6);
        if (half_s < cases[i].least || half_s > cases[i].most) {
            fail_msg("%s: %g s", cases[i].line, half_s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_names_the_fastest_and_how_many_tie_with_it),
        cmocka_unit_test(what_was_not_verified_is_not_recommended),
        cmocka_unit_test(maps_of_one_problem_are_sorted_and_others_keep_their_order),
        cmocka_unit_test(the_row_says_how_to_get_the_run),
        cmocka_unit_test(the_time_left_is_in_proportion_to_the_work_left),
    };
    return cmocka_run_group_tests_name("summary", tests, NULL, NULL);
}
